"""Finds the library that CMake compiled."""

from ._build import find_library, stale


def library_path() -> str:
    """Return the path of the compiled library.

    Raises:
        ImportError: There is no library of the sources beside this file, or it does not fit PyTorch.
    """
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())
