"""PyTorch operators, listed in `__all__`."""

import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

with suppress(PackageNotFoundError):  # not installed: imported from the repository
    __version__ = version(__name__)

# The doctor and verify must run even if PyTorch or the library is missing.
if sys.argv[:1] != ["-m"] or not {__name__ + x for x in (".doctor", ".verify")} & {*sys.orig_argv}:
    from ._kit.build_log import BuildError

    try:
        # First: it loads the libraries that the compiled library links to.
        import torch  # noqa: F401

        from ._kit import bindings as _bindings  # noqa: F401
    except BuildError:  # its message needs no hint
        raise
    except Exception as error:
        raise ImportError(f"{error} (`python -m {__name__}.doctor` has details)") from error
    from .ops.farthest_points import farthest_points

__all__ = ["farthest_points"]
