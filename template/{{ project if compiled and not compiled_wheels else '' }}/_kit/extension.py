"""Shared by both builds with torch.utils.cpp_extension: the library's folder, compiler options.

Shared code of the template: do not edit.
"""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock

from .._project import BUILD, DEFINITIONS
from .build_log import drop_warnings
from .doctor import compiler, debug_flags, debugging, ninja, require_versions, use_nvcc, wants_cuda
from .trust import written_by_others

NAME = Path(__file__).parents[1].name
CSRC = Path(__file__).parents[1] / "csrc"


# ---- The folder of the library


def architectures() -> str:
    """Return TORCH_CUDA_ARCH_LIST, the GPUs to compile for. Default: the GPUs of this machine."""
    given = os.environ.get("TORCH_CUDA_ARCH_LIST")
    count = torch.cuda.device_count()
    here = sorted({torch.cuda.get_device_capability(i) for i in range(count)})
    # On a machine without a GPU, add PTX, so that later GPUs can run the library too.
    return given or ";".join(f"{major}.{minor}" for major, minor in here) or "8.0+PTX"


def build_directory(cuda: bool) -> Path:
    """Return a folder for one combination of PyTorch, CUDA, GPUs, Python and sources."""
    # Releases before 0.8.0 created folders without this mode; a group could often write to them.
    facts = [torch.__version__, sys.implementation.cache_tag, str(CSRC), "go-w"]
    if debugging():
        facts.append("debug")
    if cuda:
        facts += [str(torch.version.cuda), architectures()]
    key = repr(facts)
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    drop_warnings()
    from torch.utils.cpp_extension import get_default_build_root

    root = os.environ.get("TORCH_EXTENSIONS_DIR") or get_default_build_root()
    return Path(root, f"{NAME}-{digest}")


def find_library() -> Path:
    """Return the path of the compiled library, which need not exist yet."""
    folder = build_directory(wants_cuda(torch.version.cuda))
    return (folder / "operators" if BUILD == "inline" else folder) / f"{NAME}_C.so"


def refuse_others(*paths: Path) -> None:
    """Refuse files and folders that another user can write: a library runs as this user."""
    for path in paths:
        if reason := written_by_others(path.lstat(), path.stat()):
            raise ImportError(
                f"{NAME}: only this user, root or the owner of {NAME} may write to {path}, but it "
                f"{reason}; delete it, or set TORCH_EXTENSIONS_DIR to a folder of yours"
            )


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Let one process at a time compile in a folder."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        refuse_others(directory)
        file = directory / f"{NAME}.lock"
        lock = FileLock(file).acquire()
    except (
        OSError,
        NotImplementedError,
    ) as error:  # NotImplementedError: the file system has no locks
        raise ImportError(
            f"{NAME} is to be compiled in {directory}, where nothing can be written ({error}); "
            "set TORCH_EXTENSIONS_DIR to a folder of yours"
        ) from error
    with lock:
        # PyTorch's own lock outlives a killed build, and PyTorch would wait for it forever. A
        # process that has our lock knows that no build holds PyTorch's lock.
        (directory / "lock").unlink(missing_ok=True)
        yield


@contextmanager
def only_readable() -> Iterator[None]:
    """Create files that other users can only read."""
    umask = os.umask(0o022)
    os.umask(umask | 0o022)
    try:
        yield
    finally:
        os.umask(umask)


# ---- Compilers


def find_compilers(cuda: bool) -> None:
    """Refuse compilers that do not fit PyTorch, and tell PyTorch which nvcc to use."""
    require_versions()
    compiler()
    ninja()
    if cuda:
        use_nvcc(str(torch.version.cuda), architectures())


def options(cuda: bool, include_dirs: list[str], link_args: list[str]) -> dict[str, Any]:
    """Return arguments for `load` and `load_inline` of torch.utils.cpp_extension."""
    macros = ["-DUSE_CUDA"] if cuda else []
    macros += [f"-D{name}={value}" for name, value in DEFINITIONS]
    return {
        "extra_cflags": ["-O3", *macros, *debug_flags("cxx")],
        # --threads and --split-compile let nvcc run two steps at a time. C++17 compiles faster than
        # C++20. nvcc always optimizes kernels. -O would only change the host code that launches
        # the kernels.
        # PyTorch switches off the conversions of CUDA's 16-bit types. -U switches them on. A file
        # cannot, because an earlier file that is compiled with it may include CUDA's headers.
        "extra_cuda_cflags": [
            *macros,
            *["-std=c++17", "--threads=2", "--split-compile=2"],
            *["-U__CUDA_NO_HALF_CONVERSIONS__", "-U__CUDA_NO_BFLOAT16_CONVERSIONS__"],
            *debug_flags("nvcc"),
        ],
        "extra_include_paths": [str(CSRC.parents[1] / folder) for folder in include_dirs],
        "extra_ldflags": link_args,
        "with_cuda": cuda,
        "is_python_module": False,
        "verbose": True,
    }
