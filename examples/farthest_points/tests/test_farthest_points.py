"""`farthest_points` against its reference, on CPU and GPU."""

import torch
from my_ops_suite import Custom, CustomTests

from my_ops import farthest_points
from my_ops.ops.farthest_points import DTYPES, farthest_points_reference


# EDIT: return arguments that the operator accepts.
def make_args(dtype=torch.float32, device="cpu", B=5, N=7, npoint=2):
    """Return random arguments, whose sizes are all different."""
    points = torch.randn((B, N, 3), dtype=dtype, device=device)

    return [points, npoint]


OPERATOR = Custom(
    farthest_points,
    farthest_points_reference,
    torch.ops.my_ops.farthest_points.default,
    make_args,
    differentiable=False,
    dtypes=DTYPES,
    shaped=["points"],  # arguments whose shapes are checked
    empty={"B": 0},  # EDIT: sizes that make the result empty
    large="",  # EDIT: the size to enlarge for a tensor of more than 2^31 elements, or ""
    many="N",  # EDIT: a size along which threads add to the same element, or ""
    fixed=[],  # EDIT: sizes and numbers of make_args that cannot have other values
    no_effect=[],  # EDIT: arguments that change no result
    tolerance={},  # EDIT: larger rounding errors, as in {"float16": {"rtol": 0, "atol": 2e-3}}
)


class TestFarthestPoints(CustomTests):
    """Runs the tests of custom operators on `farthest_points`. A method here replaces a test."""

    OPERATOR = OPERATOR


# EDIT: your own tests.
