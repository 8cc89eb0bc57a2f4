"""PyTorch operators, listed in `__all__`."""

import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

with suppress(PackageNotFoundError):  # not installed: imported from the repository
    __version__ = version(__name__)

# The doctor and verify must run even if PyTorch or the library is missing.
if sys.argv[:1] != ["-m"] or not {__name__ + x for x in (".doctor", ".verify")} & {*sys.orig_argv}:
    # First: it loads PyTorch and the library.
    from ._kit import load as _load  # noqa: F401
    from .ops.farthest_points import farthest_points

__all__ = ["farthest_points"]
