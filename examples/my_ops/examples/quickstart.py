"""Calls `muladd`, compares it with plain PyTorch, and compiles it."""

import torch

import my_ops
from my_ops.ops.muladd import muladd_reference

device = "cuda" if torch.cuda.is_available() else "cpu"


def tensor():
    return torch.randn(1000, 1000, device=device, requires_grad=True)


# EDIT: arguments such as the formula takes, as in the tests.
args = [tensor(), tensor(), torch.randn(()).item()]

out = my_ops.muladd(*args)
expected = muladd_reference(*args)
difference = (out - expected).abs().max().item()
print(f"on {device}: differs from plain PyTorch by at most {difference:.1e}")

out.sum().backward()
print(f"gradient: {args[0].grad.norm().item():.4f}")

print("torch.compile compiles at its first call, for up to a minute", flush=True)


@torch.compile(fullgraph=True)
def compiled(*args):
    out = my_ops.muladd(*args)
    return out.relu()


print(f"torch.compile: {compiled(*args).mean().item():.4f}")
