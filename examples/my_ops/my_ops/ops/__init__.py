"""A module for each operator."""

from .. import _bindings  # noqa: F401
from . import muladd

__all__ = ["muladd"]
