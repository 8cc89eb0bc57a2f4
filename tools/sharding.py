"""Trains a gated layer with `muladd` in it in two processes, and compares it with the same in one.

`PYTHONPATH=<built project> python tools/sharding.py`
"""

from __future__ import annotations

import copy
import tempfile

import my_ops.sharding  # noqa: F401
import torch
from my_ops import muladd
from torch import nn
from torch.multiprocessing import spawn

WORLD = 2


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(6, 8), nn.Linear(6, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.down(muladd(self.gate(x), self.up(x), 0.5))


def trained(model: nn.Module, run: nn.Module, x: torch.Tensor) -> list[torch.Tensor]:
    """Return the parameters after a few steps, whole."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        run(x).square().mean().backward()
        optimizer.step()
    parameters = [p.detach() for p in model.parameters()]
    return [p.full_tensor() if hasattr(p, "full_tensor") else p for p in parameters]


def train(rank: int, store: str) -> None:
    from torch.distributed import destroy_process_group, init_process_group
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import DTensor, Shard
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        RowwiseParallel,
        parallelize_module,
    )

    torch.manual_seed(0)
    torch.set_num_threads(1)
    init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=WORLD)
    mesh = init_device_mesh("cpu", (WORLD,))
    model, x = Gated(), torch.randn(4, 6)
    single = copy.deepcopy(model)
    expected = trained(single, single, x)

    fsdp = fully_shard(copy.deepcopy(model), mesh=mesh)
    torch.testing.assert_close(trained(fsdp, fsdp, x.chunk(WORLD)[rank]), expected)

    columns = ColwiseParallel(use_local_output=False)
    plan = {"gate": columns, "up": columns, "down": RowwiseParallel()}
    parallel = parallelize_module(copy.deepcopy(model), mesh, plan)
    hidden = muladd(parallel.gate(x), parallel.up(x), 0.5)
    assert isinstance(hidden, DTensor) and hidden.placements == (Shard(1),)
    torch.testing.assert_close(trained(parallel, parallel, x), expected)

    parallel = parallelize_module(copy.deepcopy(model), mesh, plan)
    compiled = torch.compile(parallel, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(trained(parallel, compiled, x), expected)
    destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        spawn(train, (f"{folder}/store",), nprocs=WORLD)
