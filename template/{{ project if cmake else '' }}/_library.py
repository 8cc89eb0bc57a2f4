"""Finds the library that CMake compiled. This file is the same in every project."""

from ._record import find_library, stale


def library_path() -> str:
    """Return the path of the library; refuse one that is not of the sources here, or not for this PyTorch."""
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())
