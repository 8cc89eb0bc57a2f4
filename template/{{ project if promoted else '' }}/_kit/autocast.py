"""Autocast: tensors of several dtypes are converted to one, as in PyTorch's own operators.

Shared code of the template: do not edit.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from .. import ops
from .._project import PROMOTED
from .checks import register_kernel
from .private import schema_of


def in_one_dtype(op: Callable[..., Any], lowered: bool) -> Callable[..., Any]:
    """Return an operator whose floating-point tensors are converted to one dtype.

    The dtype is the widest of the tensors' dtypes or, if `lowered`, the dtype of autocast. float64
    is never lowered.
    """

    def run(*args, **keywords):
        tensors = [x for x in [*args, *keywords.values()] if isinstance(x, Tensor)]
        dtypes = [x.dtype for x in tensors if x.is_floating_point()]
        dtype = reduce(torch.promote_types, dtypes) if dtypes else None
        if lowered and dtype != torch.float64:
            dtype = torch.get_autocast_dtype(tensors[0].device.type)

        def convert(x):
            return x.to(dtype) if isinstance(x, Tensor) and x.is_floating_point() else x

        with torch.autocast(tensors[0].device.type, enabled=False):
            return op(*map(convert, args), **{name: convert(x) for name, x in keywords.items()})

    return run


for _name in PROMOTED:
    _module = getattr(ops, _name)
    _run = in_one_dtype(_module._op, getattr(_module, "LOWERED", False))
    for _key in ("AutocastCPU", "AutocastCUDA"):
        register_kernel(schema_of(_module._op).name, _run, _key)
