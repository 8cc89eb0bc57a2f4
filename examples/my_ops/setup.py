"""Compiles my_ops._C; everything else about the package is in pyproject.toml."""

import runpy
from pathlib import Path

# EDIT: third-party libraries: folders of headers, relative to the repository, and linker arguments.
# CUB and Thrust come with nvcc and need neither. For example
#     INCLUDE_DIRS = ["third_party/cutlass/include"]
#     LINK_ARGS = ["-lcublas"]
INCLUDE_DIRS: list[str] = []
LINK_ARGS: list[str] = []

# Without -g0, Python's flags request debug information, which takes a third of the compile time.
# --threads and --split-compile let nvcc run two steps at a time. C++17 compiles faster than C++20.
# nvcc always optimizes kernels. -O would only change the host code that launches the kernels.
COMPILE_ARGS = {
    "cxx": ["-O3", "-g0"],
    "nvcc": ["-std=c++17", "--threads=2", "--split-compile=2"],
}

package = Path("my_ops")
if not package.exists():
    raise SystemExit(f"{package} does not exist; to rename it: copier update --data project=NAME")
build = runpy.run_path(f"{package}/_kit/build.py")  # importing the package would need the library
build["setup"](INCLUDE_DIRS, LINK_ARGS, COMPILE_ARGS)
