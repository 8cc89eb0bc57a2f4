"""Compiles csrc/ with torch.utils.cpp_extension at the first import.

Shared code of the template: do not edit.
"""

import sys
from pathlib import Path

import torch

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


def library_path(include_dirs: list[str], link_args: list[str]) -> str:
    """Compile the files that changed since the last build, and return the path of the library."""
    library = find_library()
    # The first check needs no lock, because a read-only folder cannot contain the lock's file.
    if stale():
        with only_readable(), locked(library.parent):
            if stale():
                _compile(library, include_dirs, link_args)
    refuse_others(library.parent, library)
    return str(library)


def _compile(library: Path, include_dirs: list[str], link_args: list[str]) -> None:
    from torch.utils import cpp_extension  # after its warnings are dropped

    cuda = wants_cuda(torch.version.cuda)
    find_compilers(cuda)
    record = take_record(cuda)
    prepare(library.parent, record)
    library.unlink(missing_ok=True)  # ninja would keep an unfinished library
    print(f"{NAME}: compiling into {library.parent}", file=sys.stderr)
    sources = [*CSRC.rglob("*.cpp"), *(CSRC.rglob("*.cu") if cuda else [])]
    with compiling():
        cpp_extension.load(
            library.stem,
            sorted(map(str, sources)),
            build_directory=str(library.parent),
            **options(cuda, include_dirs, link_args),
        )
    finish(library.parent, record)
    write_record(library, record)
    compile_commands.write(library.parent)
