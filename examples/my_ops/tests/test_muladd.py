"""`muladd` against its reference, in every dtype and layout, on CPU and GPU."""

import torch
from my_ops_suite import LAYOUTS, Elementwise


# EDIT: return random arguments from the formula's domain. If two arguments are a lower and an upper
# bound, make sure that lower <= upper.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `muladd`."""

    def make(shape):
        return torch.randn(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

    return [tensor(), tensor(), torch.randn(()).item()]


# EDIT: your own tests. You can replace tests and attributes of the suite, such as rtol and atol.
class TestMuladd(Elementwise):
    """Runs the tests of elementwise operators on `muladd`."""

    name = "muladd"
    make_args = staticmethod(make_args)
