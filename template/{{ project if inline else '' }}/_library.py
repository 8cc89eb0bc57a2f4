"""Compiles the library at the first import, and after an edit without a restart of Python."""

from ._kit import build

# EDIT: third-party libraries: folders of headers, relative to the repository, and linker arguments.
# CUB and Thrust come with nvcc and need neither. For example
#     INCLUDE_DIRS = ["third_party/cutlass/include"]
#     LINK_ARGS = ["-lcublas"]
INCLUDE_DIRS: list[str] = []
LINK_ARGS: list[str] = []


def library_path() -> str:
    """Compile what changed since the last time, and return the path of the library.

    Raises:
        ImportError: The build's folder is not writable, or another user may have written the
            library.
        Finding: There is no compiler, or none that fits PyTorch.
        BuildError: An edit does not compile, or the library cannot be loaded.
    """
    return build.library_path(INCLUDE_DIRS, LINK_ARGS)


# Compiles the edited files of csrc/, and lets the operators run the new code from now on.
reload = build.reload
