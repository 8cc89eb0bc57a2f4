"""Finds the library that CMake compiled. Shared code of the template: do not edit."""

from ._kit.record import find_library, stale


def library_path() -> str:
    """Return the library's path, if the library fits the sources and this PyTorch."""
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())
