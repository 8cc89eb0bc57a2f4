"""A module for each operator."""

from .. import _bindings  # noqa: F401
