"""Compares operators on DTensors in two processes with the same operators in one process.

Shared code of the template: do not edit.
"""

import os
import subprocess
import sys
from importlib import import_module
from itertools import product
from pathlib import Path

import torch
from torch.multiprocessing import spawn

SUITE = next(Path(__file__).parent.glob("*_suite/operators.py")).parent.name
PACKAGE = SUITE.removesuffix("_suite")


def class_of(name):
    """Return the tests of an operator."""
    module = import_module(f"test_{name}")
    return next(x for x in vars(module).values() if getattr(x, "name", None) == name)


def outcome(function, args):
    """Return the results of a function, and the gradients of arguments that require one."""
    out = function(*args)
    outs = [out] if isinstance(out, torch.Tensor) else list(out)
    inputs = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
    if inputs:
        outs += torch.autograd.grad(sum(out.square().sum() for out in outs), inputs)
    return outs


def compare(rank, store):
    from torch.distributed import destroy_process_group, init_process_group
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    import_module(f"{PACKAGE}.sharding")
    torch.manual_seed(0)  # the same tensors in both processes
    torch.set_num_threads(1)
    init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    for name in import_module(f"{PACKAGE}._project").SHARDED:
        operator = class_of(name)()
        function = operator.public
        for placement, all_need in product((Shard(0), Shard(-1), Replicate()), (False, True)):
            args, distributed = operator.make_args(), []
            needs = operator.backward is not None
            for i, x in enumerate(args):
                if isinstance(x, torch.Tensor):
                    args[i] = x.detach().requires_grad_(needs)
                    x = distribute_tensor(x.detach(), mesh, [placement]).requires_grad_(needs)
                    needs = needs and all_need
                distributed.append(x)
            expected = outcome(function, args)
            for f in function, operator.registered:
                found = [x.full_tensor() for x in outcome(f, distributed)]
                message = f"{operator.name}, {placement}: %s"
                torch.testing.assert_close(found, expected, msg=message.__mod__)
    destroy_process_group()


def test_dtensors(tmp_path):
    # Run by its path, because another project may have a module with the same name.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, __file__, tmp_path / "store"], env=environment, check=True)


if __name__ == "__main__":
    spawn(compare, (sys.argv[1],), nprocs=2)
