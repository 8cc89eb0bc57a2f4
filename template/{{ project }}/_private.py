"""The names of PyTorch that this project uses and PyTorch does not document: each is in this file only.

PyTorch has them from 2.10 to 2.15. This file is the same in every project.
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
    """Return the same of a schema as text, before an operator is registered."""
    return torch._C.parse_schema(text)


# ---- Who looks at a call. PyTorch uses these names in `torch.autograd.Function` and `torch.library`.
# A call asks for each of them, and globals are found sooner.

_transforms_active = torch._C._are_functorch_transforms_active
count_modes = torch._C._len_torch_dispatch_stack
_autocast_enabled = torch._C._is_any_autocast_enabled
_jit_traces = torch._C._is_tracing


def in_transform() -> bool:
    """Whether torch.func or forward mode differentiates what is called.

    A `torch.autograd.Function` that saves tensors in `forward` has no part in these, so the
    reference is called instead: PyTorch has all derivatives of its own operators.
    """
    return _transforms_active() or forward_ad._current_level >= 0


def is_watched(*given: Tensor | Sequence[Tensor] | None) -> bool:
    """Whether a call must reach the dispatcher, where it is recorded or transformed.

    An argument that is not a tensor, such as a proxy of torch.fx, must reach it too.
    """
    if (
        is_dynamo_compiling()
        or _transforms_active()  # as `in_transform`, without another call
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


# ---- DTensors and GPUs, which not every process has


def arguments_of_rule(op: OpOverload) -> Any:
    """Return what PyTorch keeps beside the sharding rule of an operator: on which arguments it depends."""
    from torch.distributed.tensor import DTensor

    return DTensor._op_dispatcher.sharding_propagator.op_to_schema_info[op]


def current_device_and_stream() -> tuple[Callable[[], int], Callable[[int], int]]:
    """Return functions for the current device and the handle of its stream, which make no objects."""
    return torch._C._cuda_getDevice, torch._C._cuda_getCurrentRawStream


# ---- Tests

TorchDispatchMode = _python_dispatch.TorchDispatchMode


def version_of(tensor: Tensor) -> int:
    """Return how often autograd knows a tensor to have been written to."""
    return tensor._version


def keep_gpu_busy() -> None:
    """Let the current stream wait longer than a kernel takes."""
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
    """Let the compiler have operators in its graph whose results have sizes that depend on data."""
    return torch._dynamo.config.patch(capture_dynamic_output_shape_ops=known)
