"""Compiles csrc/ by load_inline: at the first import, and after an edit without a restart."""

import importlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
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

# When the library was linked that this process has loaded, and the path of the file that was loaded.
_loaded: tuple[int, Path] | None = None


def reload() -> None:
    """Compile what was edited in csrc/, and let the operators run it from now on.

    Whoever holds an operator gets the new code: what was imported, `torch.ops.{{ project }}`, what
    torch.compile made of it. Without an edit, nothing changes.

    What stays as it is until Python is restarted: which operators there are, which arguments they
    take, and the Python files. The replaced code also stays, in memory.

    Raises:
        BuildError: The code does not compile, or lacks what is declared and not defined. The
            operators go on with the code that they had.
    """
    importlib.reload(importlib.import_module("{{ project }}._bindings"))


{% include pathjoin('variants', 'build', 'lock.py') %}


{% set header = 'torch/csrc/stable/library.h' if binding == 'torch_stable' else 'torch/library.h' %}
{% set macro = 'STABLE_TORCH_LIBRARY' if binding == 'torch_stable' else 'TORCH_LIBRARY' %}
# A process can define an operator once. So the library that it loads first defines them, and those
# that it loads later only register their kernels, which replace the ones before.
_DEFINE_ONCE = r"""
#include <{{ header }}>

#include <cstdlib>

#undef {{ macro }}
#define {{ macro }}(ns, m) \
  template <typename Library> \
  void define_operators(Library& m); \
  {{ macro }}_FRAGMENT(ns, m) { \
    if (std::getenv("{{ project | upper }}_DEFINE")) define_operators(m); \
  } \
  template <typename Library> \
  void define_operators(Library& m)
"""


def _defining_operators(load: Callable[..., object], *args, **options) -> None:
    os.environ["{{ project | upper }}_DEFINE"] = "1"
    try:
        load(*args, **options)
    finally:
        del os.environ["{{ project | upper }}_DEFINE"]


def _load_inline(
    name: str,
    directory: Path,
    cuda: bool,
    cpp: list[str],
    objects: Iterable[Path] = (),
    **options,
) -> None:
    """Compile what changed, and load it if this process has not loaded it before."""
    from torch.utils import cpp_extension

    directory.mkdir(parents=True, exist_ok=True)
    # It outlives a killed build, and would be waited for without end.
    (directory / "lock").unlink(missing_ok=True)
    # PyTorch remembers these sources, which are lines of #include that no edit changes, and would
    # compile nothing. If they changed, it would compile everything under another name. When it has
    # forgotten them, ninja compiles what was edited.
    cpp_extension.JIT_EXTENSION_VERSIONER.entries.pop(name, None)
    macros = ["-DUSE_CUDA"] if cuda else []
{% for name, value in definitions %}
    macros.append("-D{{ name }}={{ value }}")
{% endfor %}
    with compiling():
        cpp_extension.load_inline(
            name,
            cpp,
            extra_cflags=["-O3", *macros],
            # nvcc does two of its steps at a time, and compiles C++17 faster than C++20. It optimizes
            # GPU code in any case; -O would be for the rest of a .cu file, which starts kernels.
            extra_cuda_cflags=[*macros, "-std=c++17", "--threads=2", "--split-compile=2"],
            extra_include_paths=[str(_CSRC.parents[1] / folder) for folder in INCLUDE_DIRS],
            extra_ldflags=[*(shlex.quote(str(path)) for path in objects), *LINK_ARGS],
            build_directory=str(directory),
            with_cuda=cuda,
            is_python_module=False,
            no_implicit_headers=True,
            verbose=True,
            **options,
        )


def _include(paths: Iterable[Path]) -> list[str]:
    """Return sources for load_inline in which errors have the names and lines of the files."""
    return [f'#include "{path}"' for path in sorted(paths)]


@cache
def _copies() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="{{ project }}-")


def library_path() -> str:
    """Compile what changed since the last time, and return the path of the library.

    Raises:
        ImportError: There is no place to compile in, or another user may have written the library.
        Finding: There is no compiler for it, or none that fits PyTorch.
        BuildError: What was edited does not compile, or cannot be loaded.
    """
    global _loaded
    library = find_library()
    # First without the lock, whose file a folder that is read-only has no place for.
    if stale():
        with _only_readable(), _locked(library.parents[1]):
            if stale():
                _compile(library)
    refuse_others(library.parents[1], library.parent, library)
    if _loaded is None:
        _defining_operators(torch.ops.load_library, str(library))
        _loaded = _mtime(library), library
    elif _loaded[0] != _mtime(library):
        # A process loads what lies at a path only once.
        copy = Path(tempfile.mkdtemp(dir=_copies().name), library.name)
        shutil.copy2(library, copy)
        _loaded = _mtime(library), copy
    return str(_loaded[1])


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
    directory = library.parents[1]
    prepare(directory, record)
    library.unlink(missing_ok=True)  # ninja would keep one that was cut off, or of other kernels
    print(f"{{ project }}: compiling into {directory}", file=sys.stderr)
    sources = set(_CSRC.rglob("*.cpp"))
    with_tensors = {path for path in sources if path.stem in (path.parent.name, "bindings")}
    # load_inline joins all C++ sources to one file. So what knows no tensors is compiled apart, or
    # an edit of the math would compile PyTorch's headers again, which takes longest.
    kernels = directory / "kernels"
    _load_inline(
        "{{ project }}_kernels",
        kernels,
        cuda,
        _include(sources - with_tensors),
        cuda_sources=_include(_CSRC.rglob("*.cu")) if cuda else None,
    )
    _defining_operators(
        _load_inline,
        library.stem,
        library.parent,
        cuda,
        [_DEFINE_ONCE, *_include(with_tensors)],
        kernels.glob("*.o"),
    )
    finish(directory, record)
    write_record(library, record)
{% if full %}
    _compile_commands.write(kernels, library.parent)
{% endif %}


def _mtime(path: Path) -> int:
    return path.stat().st_mtime_ns
