"""The undocumented names of PyTorch that the project's Python code uses.

PyTorch has them from 2.10 to 2.15. Shared code of the template: do not edit.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.compiler import is_dynamo_compiling
from torch.utils import _python_dispatch

OpOverload = torch._ops.OpOverload


def schema_of(op: OpOverload) -> Any:
    """Return the schema of an operator: its name, arguments and returns."""
    return op._schema


def parse_schema(text: str) -> Any:
    """Parse the text of a schema, for an operator that is not registered yet."""
    return torch._C.parse_schema(text)


# ---- Whether autograd or a transform takes part in a call. PyTorch uses these names in
# `torch.autograd.Function` and `torch.library`. Every call in training uses them, as globals,
# which are faster to look up than attributes.

_transforms_active = torch._C._are_functorch_transforms_active
count_modes = torch._C._len_torch_dispatch_stack
_autocast_enabled = torch._C._is_any_autocast_enabled
_jit_traces = torch._C._is_tracing


def in_transform() -> bool:
    """Whether forward mode or a transform of torch.func takes part in the call.

    A `torch.autograd.Function` that saves tensors in `forward` does not support these, so the
    reference is called instead: PyTorch has all derivatives of its own operators.
    """
    return _transforms_active() or forward_ad._current_level >= 0


def is_watched(*given: Tensor | Sequence[Tensor] | None) -> bool:
    """Whether a call must go through the dispatcher, which records or transforms it.

    So must a call that has something else in place of a tensor, such as a proxy of torch.fx.
    """
    if (
        is_dynamo_compiling()
        or _transforms_active()  # inlined from `in_transform`, to save a call
        or forward_ad._current_level >= 0
        or count_modes() > 0
        or _autocast_enabled()
        or _jit_traces()
    ):
        return True
    for x in given:
        if isinstance(x, Tensor) or x is None:
            continue
        if not isinstance(x, list | tuple) or is_watched(*x):
            return True
    return False


# ---- Dispatch keys

# A context in which an operator is called below the Autograd key.
below_autograd = torch._C._AutoDispatchBelowAutograd
CPU = torch._C.DispatchKey.CPU
# The keys below BackendSelect.
BELOW = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)


# ---- DTensors, which are imported only when needed, and GPUs


def arguments_of_rule(op: OpOverload) -> Any:
    """Return PyTorch's record of the arguments that the sharding rule of an operator depends on."""
    from torch.distributed.tensor import DTensor

    return DTensor._op_dispatcher.sharding_propagator.op_to_schema_info[op]


def current_device_and_stream() -> tuple[Callable[[], int], Callable[[int], int]]:
    """Return two functions: one for the current device, one for a device's current stream.

    The first returns the device's index, the second takes an index and returns the stream's handle.
    """
    return torch._C._cuda_getDevice, torch._C._cuda_getCurrentRawStream


# ---- Tests

TorchDispatchMode = _python_dispatch.TorchDispatchMode


def below_modes(op: OpOverload, tensors: Sequence[Tensor], /, *args: Any, **keywords: Any) -> Any:
    """Call the kernel for the tensors' device. Active modes see only what the kernel calls."""
    on_gpu = any(x.is_cuda for x in tensors)
    key = torch._C.DispatchKey.CUDA if on_gpu else CPU
    return op.redispatch(torch._C.DispatchKeySet(key), *args, **keywords)


def version_of(tensor: Tensor) -> int:
    """Return a tensor's version: how many writes to it autograd has counted."""
    return tensor._version


def keep_gpu_busy() -> None:
    """Keep the current stream busy for longer than a kernel takes."""
    torch.cuda._sleep(100_000_000)


def fresh_cache() -> AbstractContextManager[None]:
    """Give the compiler an empty cache."""
    from torch._inductor.utils import fresh_cache

    return fresh_cache()


def cache_of_gradients(used: bool) -> AbstractContextManager[None]:
    """Let the compiler use or not use its cache of gradients."""
    from torch._functorch import config

    return config.patch(enable_autograd_cache=used)


def sizes_of_data(known: bool) -> AbstractContextManager[None]:
    """Let the compiler's graph contain operators whose result sizes depend on data."""
    return torch._dynamo.config.patch(capture_dynamic_output_shape_ops=known)


def numbers_of_data(known: bool) -> AbstractContextManager[None]:
    """Let the compiler's graph contain numbers that are read from tensors."""
    return torch._dynamo.config.patch(capture_scalar_outputs=known)
