"""Transforms of PyTorch. `f` takes only the differentiable tensors, and returns one tensor."""

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from .common import compiled

TANGENT = 0.5


def vjp(f, tensors):
    out, pull_back = torch.func.vjp(f, *tensors)
    return pull_back(torch.full_like(out, TANGENT))


def jvp(f, tensors):
    tangents = tuple(torch.full_like(x, TANGENT) for x in tensors)
    return torch.func.jvp(f, tuple(tensors), tangents)


def forward_mode(f, tensors):
    mode = torch.autograd.forward_ad
    with mode.dual_level():
        duals = [mode.make_dual(x, torch.full_like(x, TANGENT)) for x in tensors]
        return mode.unpack_dual(f(*duals)).tangent


def forward_over_reverse(f, tensors):
    gradient = torch.func.grad(lambda *tensors: f(*tensors).square().sum())
    return jvp(gradient, tensors)


def vmap_then_backward(f, tensors):
    batches = [torch.stack([x, x + 1]).requires_grad_() for x in tensors]
    out = torch.vmap(f)(*batches)
    return torch.autograd.grad(out.square().sum(), batches)


def gradients_of_samples(f, tensors):
    batches = [torch.stack([x, x + 1]) for x in tensors]
    return torch.vmap(torch.func.grad(lambda *tensors: f(*tensors).square().sum()))(*batches)


def compiled_vjp(f, tensors):
    # This tests only the tracing; test_compiled_gradients tests Inductor's code.
    return compiled(vjp, backend="aot_eager")(f, tensors)


def called(f, tensors):
    inputs = [x.detach().requires_grad_() for x in tensors]
    out = f(*inputs)
    out = out if isinstance(out, torch.Tensor) else sum(out)
    return torch.autograd.grad(out, inputs, torch.full_like(out, TANGENT))


def traced_by_jit(f, tensors):
    inputs = tuple(x.detach().requires_grad_() for x in tensors)
    return called(torch.jit.trace(f, inputs), tensors)


def traced_by_fx(f, tensors):
    traced = torch.fx.symbolic_trace(lambda xs: f(*(xs[i] for i in range(len(tensors)))))
    return called(lambda *xs: traced(xs), tensors)


def traced_by_make_fx(f, tensors):
    return called(make_fx(f)(*tensors), tensors)


# Compare a traced operator with an untraced call of its reference: not every reference can be
# traced.
TRACES = [traced_by_jit, traced_by_fx, traced_by_make_fx]
TRANSFORMS = [
    *TRACES,
    vjp,
    jvp,
    forward_mode,
    forward_over_reverse,
    vmap_then_backward,
    gradients_of_samples,
    compiled_vjp,
]
