"""Returns the library, which is compiled at the first import, and after an edit without a restart."""

from . import _build

# EDIT: what csrc/ uses of others, or of yours: folders of headers, as seen from the repository, and
# arguments of the linker. CUB and Thrust come with nvcc, and need neither. For example
#     INCLUDE_DIRS = ["third_party/cutlass/include"]
#     LINK_ARGS = ["-lcublas"]
INCLUDE_DIRS: list[str] = []
LINK_ARGS: list[str] = []


def library_path() -> str:
    """Compile what changed since the last time, and return the path of the library.

    Raises:
        ImportError: There is no place to compile in, or another user may have written the library.
        Finding: There is no compiler for it, or none that fits PyTorch.
        BuildError: What was edited does not compile, or cannot be loaded.
    """
    return _build.library_path(INCLUDE_DIRS, LINK_ARGS)


# Compiles what was edited in csrc/, and lets the operators run it from now on.
reload = _build.reload
