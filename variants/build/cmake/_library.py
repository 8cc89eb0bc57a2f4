"""Finds the library that CMake compiled."""

from importlib.util import find_spec


def library_path() -> str:
    """Return the path of the compiled library."""
    spec = find_spec("{{ project }}._C")
    if spec is None or spec.origin is None:
        raise ImportError(
            "{{ project }}._C is not compiled yet; in the repository, run "
            "`pip install --no-build-isolation -e .`"
        )
    return spec.origin
