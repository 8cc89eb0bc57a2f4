"""`muladd` against its reference, in every dtype and layout, on CPU and GPU."""

import torch
from my_ops_suite import LAYOUTS, Elementwise


def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """EDIT: return random arguments that the formula takes, of two bounds the lower first."""

    def make(shape):
        return torch.randn(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

    return [tensor(), tensor(), torch.randn(()).item()]


class TestMuladd(Elementwise):
    """EDIT: tests of its own. All that its suite has can be replaced here, such as `rtol` and `atol`."""

    name = "muladd"
    make_args = staticmethod(make_args)
