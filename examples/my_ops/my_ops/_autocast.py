"""Autocast: tensors of several dtypes are computed in one, as in PyTorch's own operators."""

from collections.abc import Callable
from functools import reduce

import torch
from torch import Tensor

from . import ops

# Those with several tensors of one dtype, which write to none.
OPS = ["muladd"]


def in_one_dtype(op: Callable) -> Callable:
    """Return an operator whose floating-point tensors are converted to the widest of their dtypes."""

    def run(*args, **keywords):
        tensors = [x for x in [*args, *keywords.values()] if isinstance(x, Tensor)]
        dtypes = [x.dtype for x in tensors if x.is_floating_point()]
        dtype = reduce(torch.promote_types, dtypes) if dtypes else None

        def convert(x):
            return x.to(dtype) if isinstance(x, Tensor) and x.is_floating_point() else x

        with torch.autocast(tensors[0].device.type, enabled=False):
            return op(*map(convert, args), **{name: convert(x) for name, x in keywords.items()})

    return run


# Registrations last as long as this object.
_registrations = torch.library.Library("my_ops", "IMPL")

for _name in OPS:
    _module = getattr(ops, _name)
    _run = in_one_dtype(_module._op)
    for _key in ("AutocastCPU", "AutocastCUDA"):
        _registrations.impl(_module._op, _run, _key)
