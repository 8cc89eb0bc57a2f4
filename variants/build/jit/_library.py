"""Compiles the library at the first import and keeps it for the next ones."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from filelock import FileLock

{% if full %}
from . import _compile_commands
{% endif %}
from ._build import (
    architectures,
    find_library,
    finish,
    prepare,
    refuse_others,
    stale,
    take_record,
    with_cuda,
    write_record,
)
from ._build_log import compiling
from .doctor import compiler, fitting_nvcc, ninja, require_versions

_CSRC = Path(__file__).parent / "csrc"

{% include pathjoin('variants', 'build', 'libraries.py') %}


{% include pathjoin('variants', 'build', 'lock.py') %}


def library_path() -> str:
    """Compile what changed since the last time, and return the path of the library.

    Raises:
        ImportError: There is no place to compile in, or another user may have written the library.
        Finding: There is no compiler for it, or none that fits PyTorch.
        BuildError: What was edited does not compile, or cannot be loaded.
    """
    library = find_library()
    # First without the lock, whose file a folder that is read-only has no place for.
    if stale():
        with _only_readable(), _locked(library.parent):
            if stale():
                _compile(library)
    refuse_others(library.parent, library)
    return str(library)


def _compile(library: Path) -> None:
    from torch.utils import cpp_extension

    cuda = with_cuda()
    require_versions()
    compiler()
    ninja()
    if cuda:
        # PyTorch does not look where pip installs nvcc.
        cpp_extension.CUDA_HOME = str(fitting_nvcc(str(torch.version.cuda)).parents[1])
        if not torch.cuda.is_available():
            # PyTorch would look at the GPUs for this.
            os.environ["TORCH_CUDA_ARCH_LIST"] = architectures()
    record = take_record(cuda)
    prepare(library.parent, record)
    library.unlink(missing_ok=True)  # ninja would keep one that was cut off
    print(f"{{ project }}: compiling into {library.parent}", file=sys.stderr)
    macros = ["-DUSE_CUDA"] if cuda else []
{% for name, value in definitions %}
    macros.append("-D{{ name }}={{ value }}")
{% endfor %}
    sources = [*_CSRC.rglob("*.cpp"), *(_CSRC.rglob("*.cu") if cuda else [])]
    with compiling():
        cpp_extension.load(
            library.stem,
            sorted(map(str, sources)),
            extra_cflags=["-O3", *macros],
            # nvcc does two of its steps at a time, and compiles C++17 faster than C++20. It optimizes
            # GPU code in any case; -O would be for the rest of a .cu file, which starts kernels.
            extra_cuda_cflags=[*macros, "-std=c++17", "--threads=2", "--split-compile=2"],
            extra_include_paths=[str(_CSRC.parents[1] / folder) for folder in INCLUDE_DIRS],
            extra_ldflags=LINK_ARGS,
            build_directory=str(library.parent),
            with_cuda=cuda,
            is_python_module=False,
            verbose=True,
        )
    finish(library.parent, record)
    write_record(library, record)
{% if full %}
    _compile_commands.write(library.parent)
{% endif %}
