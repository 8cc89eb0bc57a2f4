"""A module for each operator."""

from .._kit import bindings as _bindings  # noqa: F401
from . import farthest_points

__all__ = ["farthest_points"]
