"""Times `farthest_points` against plain PyTorch and torch.compile."""

import torch
from common import main

import my_ops
from my_ops.ops.farthest_points import DTYPES, farthest_points_reference


# EDIT: return arguments of usual sizes, whose tensors have about numel elements.
# The benchmark assumes that the kernel reads or writes each tensor once. If not, pass work_of to
# main: functions that return the bytes of a call.
def make_args(numel, dtype, device, requires_grad):
    N = 7
    npoint = 2
    B = max(1, numel // (N * 3))
    points = torch.randn((B, N, 3), dtype=dtype, device=device)
    return [points, npoint]


if __name__ == "__main__":
    dtypes = [str(x).removeprefix("torch.") for x in DTYPES]
    main(my_ops.farthest_points, farthest_points_reference, make_args, dtypes=dtypes, timed=dtypes)
