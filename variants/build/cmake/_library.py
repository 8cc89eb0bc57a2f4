"""Finds the library that CMake compiled."""

from ._build import find_library, unusable


def library_path() -> str:
    """Return the path of the compiled library.

    Raises:
        ImportError: There is no library, or one that does not fit PyTorch.
    """
    library = find_library()
    if library is None:
        raise ImportError(
            "{{ project }}._C is not compiled yet; in the repository, run "
            "`pip install --no-build-isolation -e .`"
        )
    if reason := unusable(library):
        raise ImportError(reason)
    return str(library)
