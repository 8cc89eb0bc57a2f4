"""PyTorch operators, listed in `__all__`."""

import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

with suppress(PackageNotFoundError):  # used in place, and not installed
    __version__ = version(__name__)


def _is_for_doctor() -> bool:
    """Whether this is `python -m my_ops.doctor`, which has to run where nothing else does."""
    doctor = f"{__name__}.doctor"
    # Python 3.9 has no orig_argv, and is too old for all else.
    return sys.argv[:1] == ["-m"] and doctor in getattr(sys, "orig_argv", [doctor])


if not _is_for_doctor():
    from ._build_log import BuildError

    try:
        # First: what follows needs the libraries that PyTorch loads.
        import torch  # noqa: F401

        from . import _bindings, _build  # noqa: F401
    except BuildError:  # it says all
        raise
    except Exception as error:
        raise ImportError(f"{error} (`python -m {__name__}.doctor` says more)") from error
    from .ops.muladd import muladd

__all__ = ["muladd"]
