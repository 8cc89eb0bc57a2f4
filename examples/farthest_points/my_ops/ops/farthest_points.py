"""`farthest_points` in Python: the function, its reference and fake kernel."""

import torch
from torch import Tensor

from .._kit import checks as _checks

_namespace = torch.ops.my_ops
_op = _namespace.farthest_points.default

# EDIT: the dtypes of `points`, the same as in csrc/farthest_points/farthest_points_args.h.
DTYPES = [torch.float32, torch.float64]

# EDIT: True if several threads add floating-point numbers to one element, in an order that varies.
ADDS_ATOMICALLY = False

# EDIT: False if there is no kernel for the CPU. The operator then runs the reference on the CPU.
HAS_CPU_KERNEL = True


# EDIT: the formula in the docstring.
def farthest_points(
    points: Tensor,
    npoint: int,
) -> Tensor:
    """Compute which points are farthest from the earlier ones, from point 0 on.

    Args:
        points: Tensor [B, N, 3] of float32 or float64.
        npoint: Integer.

    Returns:
        A new tensor int64[B, npoint].

    Raises:
        RuntimeError: A tensor has a shape or dtype that the signature does not accept, or is on
            another device. The message names the argument and its value.
        RuntimeError: `npoint` is a tensor under torch.compile. Pass `npoint.item()`.
    """
    if points is None:
        _checks.check_defined("farthest_points", points=points)
    return _op(points, npoint)


# EDIT: the same as the kernel, in PyTorch's own operators.
def farthest_points_reference(
    points: Tensor,
    npoint: int,
) -> Tensor:
    """Compute the same with PyTorch's own operators; the tests compare the two."""
    B, N, _ = points.shape
    chosen = torch.zeros(B, npoint, dtype=torch.int64, device=points.device)
    nearest = points.new_full((B, N), torch.inf)
    for k in range(1, npoint):
        last = points.gather(1, chosen[:, k - 1, None, None].expand(B, 1, 3))
        nearest = torch.minimum(nearest, (points - last).square().sum(-1))
        chosen[:, k] = nearest.argmax(-1)
    return chosen


@torch.library.register_fake(_op)
def _fake(points: Tensor, npoint: int) -> Tensor:
    _checks.check_defined("farthest_points", points=points)
    check = _checks.Checks("farthest_points", "points", points)
    check("points", points, DTYPES, ["B", "N", 3])
    B, _, _ = points.shape
    return points.new_empty((B, npoint), dtype=torch.int64)


_checks.before_kernel(
    [_op],
    "farthest_points",
    ADDS_ATOMICALLY,
    HAS_CPU_KERNEL,
    _fake,
    farthest_points_reference,
)
