"""Compiles the library at the first import and keeps it for the next ones."""

import hashlib
import os
import sys
from pathlib import Path

import torch
from filelock import FileLock
from torch.utils.cpp_extension import CUDA_HOME, get_default_build_root, load

_CSRC = Path(__file__).parent / "csrc"


{% set architectures = '8.0+PTX' %}
{% include pathjoin('variants', 'build', 'with_cuda.py') %}


{% include pathjoin('variants', 'build', 'build_directory.py') %}


def library_path() -> str:
    """Compile what changed since the last time, and return the path of the library."""
    cuda = with_cuda()
    directory = _build_directory(cuda)
    directory.mkdir(parents=True, exist_ok=True)
    sources = [*_CSRC.rglob("*.cpp"), *(_CSRC.rglob("*.cu") if cuda else [])]
    if not (directory / "{{ project }}_C.so").exists():
        print(f"{{ project }}: compiling into {directory}", file=sys.stderr)
    macros = ["-DUSE_CUDA"] if cuda else []
{% for name, value in definitions %}
    macros.append("-D{{ name }}={{ value }}")
{% endfor %}
    with FileLock(directory / "{{ project }}.lock"):
        # PyTorch's own lock outlives a killed build, and would be waited for without end. Whoever
        # holds ours knows that nobody holds that one.
        (directory / "lock").unlink(missing_ok=True)
        return load(
            "{{ project }}_C",
            sorted(map(str, sources)),
            extra_cflags=["-O3", *macros],
            # nvcc does two of its steps at a time, and compiles C++17 faster than C++20. It optimizes GPU
            # code in any case; -O would be for the rest of a .cu file, which starts kernels.
            extra_cuda_cflags=[*macros, "-std=c++17", "--threads=2"],
            build_directory=str(directory),
            with_cuda=cuda,
            is_python_module=False,
        )
