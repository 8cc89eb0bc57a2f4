"""Compiles the CUDA kernels with NVRTC when a GPU first needs them, and launches them.

Shared code of the template: do not edit.
"""

import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy
import torch
from cuda.bindings import driver
from cuda.core import (
    Device,
    Kernel,
    LaunchConfig,
    ObjectCode,
    Program,
    ProgramOptions,
    Stream,
    launch,
)
from cuda.core.utils import make_program_cache_key
from cuda.pathfinder import find_nvidia_header_directory, load_nvidia_dynamic_lib

from ._kit.bindings import OPS, Pass
from ._kit.calls import field, field_value
from ._kit.doctor import debugging
from ._kit.private import current_device_and_stream
from ._kit.trust import written_by_others

CSRC = Path(__file__).parent / "csrc"


# ---- Compiling


def kernel_names(op: str) -> list[str]:
    """Return the C++ names of all kernels of an operator."""
    return [
        kernel_name
        for p in OPS[op]
        for dtypes in p.instances()
        for kernel_name in p.kernel.kernel_names(p.name, dtypes)
    ]


def compile_cubin(op: str, arch: str) -> ObjectCode:
    """Compile all kernels of an operator. No GPU is needed.

    Args:
        op: Name of the operator, and of its folder in csrc.
        arch: Architecture, such as "sm_90".

    Returns:
        The machine code, with the mangled name of every kernel.

    Raises:
        RuntimeError: The source does not compile. The message begins with the compiler's lines.
    """
    program = Program(_source(op), "c++", _options(op, arch))
    try:
        return program.compile("cubin", kernel_names(op))
    except Exception as error:  # of a type that cuda.core does not export
        _, _, log = str(error).partition("compilation log:")
        if not log:
            raise
        log = log.strip("\n\0 ")
        raise RuntimeError(
            f"{log}\n{op}: NVRTC does not compile its kernels for {arch}; fix what it printed above"
        ) from None
    finally:
        program.close()


def load(op: str, arch: str) -> ObjectCode:
    """Compile like `compile_cubin`, but only once for all processes of this user.

    The result is kept in ~/.cache, in a folder with the package's name, or under XDG_CACHE_HOME.
    """
    key = make_program_cache_key(
        code=_source(op),
        code_type="c++",
        options=_options(op, arch),
        target_type="cubin",
        name_expressions=kernel_names(op),
        extra_digest=_headers_digest(),
    )
    entry = _read_entry(key)
    if entry is not None:
        names, code = entry.split(b"\n", 1)
        symbols = {name: symbol.encode() for name, symbol in json.loads(names).items()}
        return ObjectCode.from_cubin(code, symbol_mapping=symbols)
    compiled = compile_cubin(op, arch)
    # The cache of cuda.core would store only the code, without the mangled names of its kernels.
    symbols = {name: symbol.decode() for name, symbol in compiled.symbol_mapping.items()}
    _write_entry(key, json.dumps(symbols).encode() + b"\n" + compiled.code)
    return compiled


def _entry_path(key: bytes) -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root, CSRC.parent.name, hashlib.sha256(key).hexdigest())


def _read_entry(key: bytes) -> bytes | None:
    """Return the cached file of a key, if it is complete and no other user may have written it."""
    # Path.home() raises a RuntimeError if the user has no home.
    with suppress(OSError, RuntimeError), open(_entry_path(key), "rb") as file:
        digest, entry = file.read(32), file.read()
        ours = written_by_others(os.fstat(file.fileno())) is None
        if ours and digest == hashlib.sha256(key + entry).digest():
            return entry
    return None


def _write_entry(key: bytes, entry: bytes) -> None:
    with suppress(OSError, RuntimeError):
        path = _entry_path(key)
        for folder in (path.parents[1], path.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Other users may write to the folder, and processes in other containers may have the same
        # process id.
        new, name = tempfile.mkstemp(dir=path.parent)
        try:
            with open(new, "wb") as file:
                file.write(hashlib.sha256(key + entry).digest() + entry)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
            raise


def _source_path(op: str) -> Path:
    return CSRC / op / f"{op}_cuda.cu"


def _source(op: str) -> str:
    return _source_path(op).read_text()


def _options(op: str, arch: str) -> ProgramOptions:
    # NVRTC searches for #include "..." next to a file of this name, and names it in errors.
    return ProgramOptions(
        name=str(_source_path(op)),
        arch=arch,
        include_path=_cuda_headers(),
        # Numbers that are too large for float8_e4m3fn become NaN in some versions of PyTorch, and
        # the largest number in others.
        define_macro=("FLOAT8_E4M3FN_OVERFLOW", str(_e4m3fn_of_infinity())),
        # As with nvcc, the body of a lambda in a kernel runs on the GPU.
        device_as_default_execution_space=True,
        lineinfo=debugging() or None,
    )


@cache
def _e4m3fn_of_infinity() -> int:
    return int(torch.tensor(float("inf")).to(torch.float8_e4m3fn).view(torch.uint8))


@cache
def _cuda_headers() -> list[str]:
    # PyTorch has already loaded its NVRTC, and headers of another version may not fit. So the
    # folder next to it comes first; find_nvidia_header_directory may find a system-wide toolkit.
    library = load_nvidia_dynamic_lib("nvrtc").abs_path
    near = Path(library).parent.parent / "include" if library else None
    return [str(folder) for folder in (near, find_nvidia_header_directory("cudart")) if folder]


def _headers_digest() -> bytes:
    digest = hashlib.sha256()
    for path in sorted([*CSRC.rglob("*.h"), *CSRC.rglob("*.cuh")]):
        digest.update(path.read_bytes())
    return digest.digest()


# ---- Launching

# Numbers are passed as NumPy types, whose sizes cuda.core knows.
SCALARS = {"float": float, "int": numpy.int64, "bool": numpy.bool_}


@lru_cache(maxsize=4096)
def _config(grid: Any, block: Any, cluster: int) -> LaunchConfig:
    return LaunchConfig(grid=grid, block=block, cluster=cluster if cluster > 1 else None)


_stream = lru_cache(maxsize=256)(Stream.from_handle)
_module = cache(load)


@lru_cache(maxsize=4096)
def _struct(*fields: tuple[Any, ...]) -> numpy.dtype[Any]:
    """Return the type of a struct with these fields, laid out as C++ does."""
    return numpy.dtype([(str(i), *x) for i, x in enumerate(fields)], align=True)


def launch_struct(kernel: Kernel, call: Any, stream: Stream) -> None:
    """Launch a kernel that takes a struct. `launch` of cuda.core 1.2 accepts no struct.

    Raises:
        RuntimeError: The driver refuses the launch.
    """
    if 0 in call.grid:
        return
    values = tuple(field_value(x) for x in call.struct)
    struct = numpy.array(values, _struct(*map(field, call.struct)))
    arguments = numpy.array([struct.ctypes.data], "u8")
    function = driver.CUfunction(int(kernel.handle))
    if call.shared_bytes > 48 * 1024:  # the most that a kernel may use without permission
        limit = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        told, device = driver.CUkernel(int(kernel.handle)), driver.cuCtxGetDevice()[1]
        driver.cuKernelSetAttribute(limit, call.shared_bytes, told, device)
    if call.cluster > 1:
        (error,) = _launch_clusters(function, call, stream, arguments.ctypes.data)
    else:
        shape = *call.grid, *call.block, call.shared_bytes
        handle = int(stream.handle)
        (error,) = driver.cuLaunchKernel(function, *shape, handle, arguments.ctypes.data, 0)
    if error:
        blocks = f"{call.grid} blocks of {call.block} threads, {call.shared_bytes} shared bytes"
        raise RuntimeError(f"{kernel} was not launched on {blocks}: {error}")


def _launch_clusters(function: Any, call: Any, stream: Stream, arguments: int) -> Any:
    config = driver.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = call.grid
    config.blockDimX, config.blockDimY, config.blockDimZ = call.block
    config.sharedMemBytes = call.shared_bytes
    config.hStream = driver.CUstream(int(stream.handle))
    attribute = driver.CUlaunchAttribute()
    attribute.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    shape = attribute.value.clusterDim
    shape.x, shape.y, shape.z = call.cluster, 1, 1
    config.attrs, config.numAttrs = [attribute], 1
    return driver.cuLaunchKernelEx(config, function, arguments, 0)


def launcher(p: Pass, dtypes: tuple[torch.dtype, ...], device: int) -> Callable[[Any], None]:
    """Return a function that launches a pass on a device and on PyTorch's current stream.

    Args:
        p: The pass.
        dtypes: The dtypes that its kernels are instantiated for.
        device: Index of the GPU.

    Returns:
        A function of the pass's call, whose tensors are contiguous, or dense with equal strides.

    Raises:
        RuntimeError: As `compile_cubin` does.
    """
    major, minor = torch.cuda.get_device_capability(device)
    module = _module(p.op, f"sm_{major}{minor}")
    kernels = [module.get_kernel(name) for name in p.kernel.kernel_names(p.name, dtypes)]
    # The argument of a custom kernel is a struct.
    launches = p.kernel(dtypes).launches if hasattr(p.kernel, "launches") else None
    convert = [SCALARS[kind] for kind in p.numbers] if launches else []
    # torch.cuda's own functions check each time whether CUDA is available, and create an object for
    # the stream. That takes as long as the launch itself.
    current_device, current_stream = current_device_and_stream()

    def run(call: Any) -> None:
        if current_device() != device:
            with torch.cuda.device(device):
                return run(call)
        if not _thread.has_context:
            _ensure_context(device)
        stream = _stream(current_stream(device))
        if launches is None:
            return launch_struct(kernels[call.kernel], call, stream)
        inputs = [0 if x is None else x.data_ptr() for x in call.inputs]
        outputs = [0 if x is None else x.data_ptr() for x in call.outputs]
        numbers = [to(x) for to, x in zip(convert, call.numbers)]
        for kernel, grid, block, arguments, sizes, cluster in launches(
            call, inputs, numbers, outputs
        ):
            config = _config(grid, block, cluster)
            launch(stream, config, kernels[kernel], *arguments, *map(numpy.int64, sizes))

    return run


class _Thread(threading.local):
    has_context = False


_thread = _Thread()


def _ensure_context(device: int) -> None:
    # A new thread has no context until it calls CUDA's runtime. A tensor from PyTorch's cache of
    # memory needs no such call, and the driver, which launches the kernel, creates no context.
    if not int(driver.cuCtxGetCurrent()[1]):
        Device(device).set_current()
    _thread.has_context = True
