"""Compiles csrc/ by load_inline: at the first import, and after an edit without a restart.

Shared code of the template: do not edit.
"""

import importlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import torch

from .._project import BINDING
from . import compile_commands
from .build_log import compiling
from .doctor import wants_cuda
from .extension import (
    CSRC,
    NAME,
    find_compilers,
    find_library,
    locked,
    only_readable,
    options,
    refuse_others,
)
from .record import finish, prepare, stale, take_record, write_record

# When the library that this process has loaded was linked, and the path of its file.
_loaded: tuple[int, Path] | None = None


def reload() -> None:
    """Compile the edited files of csrc/, and let the operators run the new code from now on.

    All users of an operator get the new code: imported functions, `torch.ops` and functions that
    torch.compile compiled. Without an edit, nothing changes.

    Restart Python after a change of the operators, of their arguments or of Python files. The
    replaced code stays in memory.

    Raises:
        BuildError: The code does not compile, or a function is declared but not defined. The
            operators keep their code.
    """
    importlib.reload(importlib.import_module(".bindings", __package__))
    importlib.import_module(".load", __package__).tag_caches()


def library_path(include_dirs: list[str], link_args: list[str]) -> str:
    """Compile the files that changed since the last build, and return the path of the library."""
    global _loaded
    library = find_library()
    # The first check needs no lock, because a read-only folder cannot contain the lock's file.
    if stale():
        with only_readable(), locked(library.parents[1]):
            if stale():
                _compile(library, include_dirs, link_args)
    refuse_others(library.parents[1], library.parent, library)
    if _loaded is None:
        _defining_operators(torch.ops.load_library, str(library))
        _loaded = _mtime(library), library
    elif _loaded[0] != _mtime(library):
        # A process loads a path only once.
        copy = Path(tempfile.mkdtemp(dir=_copies().name), library.name)
        shutil.copy2(library, copy)
        _loaded = _mtime(library), copy
    return str(_loaded[1])


# A process can define an operator only once. Therefore the first library that it loads defines the
# operators, and later libraries only register their kernels, which replace the earlier kernels.
_DEFINE = f"{NAME.upper()}_DEFINE"
_HEADER, _MACRO = {
    "torch_stable": ("torch/csrc/stable/library.h", "STABLE_TORCH_LIBRARY"),
}.get(BINDING, ("torch/library.h", "TORCH_LIBRARY"))
_DEFINE_ONCE = rf"""
#include <{_HEADER}>

#include <cstdlib>

#undef {_MACRO}
#define {_MACRO}(ns, m) \
  template <typename Library> \
  void define_operators(Library& m); \
  {_MACRO}_FRAGMENT(ns, m) {{ \
    if (std::getenv("{_DEFINE}")) define_operators(m); \
  }} \
  template <typename Library> \
  void define_operators(Library& m)
"""


def _defining_operators(load: Callable[..., object], *args: Any, **keywords: Any) -> None:
    os.environ[_DEFINE] = "1"
    try:
        load(*args, **keywords)
    finally:
        del os.environ[_DEFINE]


def _compile(library: Path, include_dirs: list[str], link_args: list[str]) -> None:
    cuda = wants_cuda(torch.version.cuda)
    find_compilers(cuda)
    record = take_record(cuda)
    directory = library.parents[1]
    prepare(directory, record)
    # ninja would keep an unfinished library, or a library of other kernels
    library.unlink(missing_ok=True)
    print(f"{NAME}: compiling into {directory}", file=sys.stderr)
    sources = set(CSRC.rglob("*.cpp"))
    bindings = CSRC / "bindings.cpp"
    with_tensors = {path for path in sources if path.stem == path.parent.name}
    # load_inline joins all C++ sources into one file. Files that do not include PyTorch's headers
    # are compiled separately; otherwise an edit of the math would compile those headers again,
    # which takes longest.
    kernels = directory / "kernels"
    _load_inline(
        f"{NAME}_kernels",
        kernels,
        _include(sources - with_tensors - {bindings}),
        options(cuda, include_dirs, link_args),
        cuda_sources=_include(CSRC.rglob("*.cu")) if cuda else None,
    )
    objects = [shlex.quote(str(path)) for path in kernels.glob("*.o")]
    # bindings.cpp comes first, because it takes the addresses of operators. After the kit's headers,
    # a function of the kit with the name of an operator would make the operator's address ambiguous.
    _defining_operators(
        _load_inline,
        library.stem,
        library.parent,
        [_DEFINE_ONCE, *_include([bindings]), *_include(with_tensors)],
        options(cuda, include_dirs, [*objects, *link_args]),
    )
    finish(directory, record)
    write_record(library, record)
    compile_commands.write(kernels, library.parent)


def _load_inline(
    name: str, directory: Path, cpp: list[str], given: dict[str, Any], **more: Any
) -> None:
    """Compile the changed files, and load the library unless this process has loaded it."""
    from torch.utils import cpp_extension  # after its warnings are dropped

    directory.mkdir(parents=True, exist_ok=True)
    # This lock outlives a killed build, and PyTorch would wait for it forever.
    (directory / "lock").unlink(missing_ok=True)
    # PyTorch remembers these sources. They are lines of #include that no edit changes, so PyTorch
    # would compile nothing; if they changed, it would compile everything under another name. After
    # PyTorch has forgotten them, ninja compiles the edited files.
    cpp_extension.JIT_EXTENSION_VERSIONER.entries.pop(name, None)
    with compiling():
        cpp_extension.load_inline(
            name, cpp, build_directory=str(directory), no_implicit_headers=True, **given, **more
        )


def _include(paths: Iterable[Path]) -> list[str]:
    """Return sources for load_inline in which errors have the names and lines of the files."""
    return [f'#include "{path}"' for path in sorted(paths)]


@cache
def _copies() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix=f"{NAME}-")


def _mtime(path: Path) -> int:
    return path.stat().st_mtime_ns
