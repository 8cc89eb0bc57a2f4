"""PyTorch operators, listed in `__all__`."""

import sys

# The doctor has to run where nothing else does.
if sys.argv[:1] != ["-m"] or f"{__name__}.doctor" not in sys.orig_argv:
    from ._build_log import BuildError

    try:
        # First: what follows needs the libraries that PyTorch loads.
        import torch  # noqa: F401

        from . import _bindings  # noqa: F401
    except BuildError:  # it says all
        raise
    except Exception as error:
        raise ImportError(f"{error} (`python -m {__name__}.doctor` says more)") from error
    from .ops.muladd import muladd

__all__ = ["muladd"]
