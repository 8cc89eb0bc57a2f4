"""Calls `farthest_points`, compares it with plain PyTorch, and compiles it."""

import torch

import my_ops
from my_ops.ops.farthest_points import farthest_points_reference

device = "cuda" if torch.cuda.is_available() else "cpu"


# EDIT: arguments that the operator accepts, as in the tests.
B = 5
N = 7
npoint = 2
points = torch.randn((B, N, 3), device=device)
args = [points, npoint]

expected = farthest_points_reference(*args)
out = my_ops.farthest_points(*args)
torch.testing.assert_close(out, expected)
print(f"on {device}: the same as plain PyTorch")

print("torch.compile compiles at its first call, for up to a minute", flush=True)
compiled = torch.compile(my_ops.farthest_points, fullgraph=True)
out = compiled(*args)
torch.testing.assert_close(out, expected)
print("torch.compile: the same")
