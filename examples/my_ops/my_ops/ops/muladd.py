"""`muladd` in Python: the function, its reference, fake kernel and gradient."""

import torch
from torch import Tensor

from .._kit import checks as _checks

_namespace = torch.ops.my_ops
_op = _namespace.muladd.default


# EDIT: the formula in the docstring.
def muladd(a: Tensor, b: Tensor, c: float) -> Tensor:
    """Compute ``a * b + c``, on CPU or GPU.

    Args:
        a: Tensor of any shape, in float32, float64, float16 or bfloat16.
        b: Tensor with the shape, dtype and device of `a`.
        c: Number, the same for all elements.

    Returns:
        A new tensor with the shape, dtype and device of `a`.
        It has the strides of `torch.empty_like(a)`.
        16-bit types are computed in float32 and rounded once.

    Raises:
        RuntimeError: A tensor has an unsupported dtype, or differs in shape, dtype or device from
            `a`. The message names the argument and its value.
        RuntimeError: `c` is a tensor that requires a gradient or, under
            torch.compile, any tensor. Pass `c.item()`.
    """
    if not isinstance(c, float):
        _checks.check_number("muladd", c=c)
    if a is None:
        _checks.check_defined("muladd", a=a, b=b)
    if _checks.only_autograd_records(a, b):
        return MuladdFunction.apply(a, b, c)  # faster than `_op`
    return _op(a, b, c)


# EDIT: keep this equal to the math in muladd.h.
def muladd_reference(a: Tensor, b: Tensor, c: float) -> Tensor:
    """Compute the same formula with PyTorch's own operators, which run one kernel each.

    The tests compare `muladd` with this function.
    """
    return a * b + c


@torch.library.register_fake(_op)
def _fake(a: Tensor, b: Tensor, c: float) -> Tensor:
    _checks.check_defined("muladd", a=a, b=b)
    check = _checks.Checks("muladd", "a", a)
    check.floating()
    check.like("b", b)
    return torch.empty_like(a)


# ---- Gradient

_backward_op = _namespace._muladd_backward.default


@torch.library.register_fake(_backward_op)
def _backward_fake(grad_out, a, b, c, needs_a, needs_b):
    check = _checks.Checks("muladd", "grad_out", grad_out)
    check.floating()
    check.like("a", a)
    check.like("b", b)
    grad_a = torch.empty_like(a) if needs_a else None
    grad_b = torch.empty_like(a) if needs_b else None
    return grad_a, grad_b


# EDIT: the tensors that the gradient needs, and the gradient.
class MuladdFunction(torch.autograd.Function):
    """`muladd` and its gradient."""

    @staticmethod
    def forward(ctx, a: Tensor, b: Tensor, c: float) -> Tensor:
        ctx.save_for_backward(a, b)
        ctx.scalar_c = c
        return _op(a, b, c)

    @staticmethod
    def backward(ctx, grad_out: Tensor):
        a, b = ctx.saved_tensors
        c = ctx.scalar_c
        if torch.is_grad_enabled():
            # create_graph=True: PyTorch will differentiate this gradient. The kernel below has no
            # derivative, so the reference computes the gradient.
            return _checks.vjp(muladd_reference, [grad_out], a, b, c)
        needs_a, needs_b, _ = ctx.needs_input_grad
        grad_a, grad_b = _backward_op(grad_out, a, b, c, needs_a, needs_b)
        return grad_a, grad_b, None


_checks.register_gradient(_op, MuladdFunction, muladd_reference)
