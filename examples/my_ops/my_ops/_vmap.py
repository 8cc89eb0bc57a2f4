"""torch.vmap: a batch is one more dimension, so that one call computes all of its samples."""

import torch
from torch import Tensor

from . import ops

# An operator whose `ops/<op>.py` says PARTS_MEET = True is not registered, and PyTorch calls it for
# each sample. Take out one that has a rule of yours: PyTorch 2.11 refuses a second.
OPS = ["muladd"]


def _register(op: torch._ops.OpOverload) -> None:
    @torch.library.register_vmap(op)
    def run(info, dims, *args, **keywords):
        def in_batch(x, dim: int | None):
            if not isinstance(x, Tensor):
                return x
            return x.expand(info.batch_size, *x.shape) if dim is None else x.movedim(dim, 0)

        return op(*map(in_batch, args, dims), **keywords), 0


BATCHED = [name for name in OPS if not getattr(getattr(ops, name, None), "PARTS_MEET", False)]

for _name in BATCHED:
    _register(getattr(torch.ops.my_ops, _name).default)
