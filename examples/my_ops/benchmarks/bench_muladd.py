"""Times `muladd` against plain PyTorch and torch.compile."""

import torch
from common import main

import my_ops
from my_ops.ops.muladd import muladd_reference


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

    return [tensor(), tensor(), torch.randn(()).item()]


if __name__ == "__main__":
    main(my_ops.muladd, muladd_reference, make_args)
