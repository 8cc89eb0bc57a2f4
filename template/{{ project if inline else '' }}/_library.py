"""Returns the library, which is compiled at the first import, and after an edit without a restart."""

from . import _build

# EDIT: third-party libraries: folders of headers, relative to the repository, and linker arguments.
# CUB and Thrust come with nvcc and need neither. For example
#     INCLUDE_DIRS = ["third_party/cutlass/include"]
#     LINK_ARGS = ["-lcublas"]
INCLUDE_DIRS: list[str] = []
LINK_ARGS: list[str] = []


def library_path() -> str:
    """Compile what changed since the last time, and return the path of the library.

    Raises:
        ImportError: No folder to compile in, or another user may have written the library.
        Finding: No compiler, or none that fits PyTorch.
        BuildError: What was edited does not compile, or cannot be loaded.
    """
    return _build.library_path(INCLUDE_DIRS, LINK_ARGS)


# Compiles what was edited in csrc/, and lets the operators run it from now on.
reload = _build.reload
