"""Compares the `muladd` of the installed project with PyTorch's own operators, on whatever hypothesis thinks of.

`python tools/properties.py` in a project that is built, with hypothesis installed. CASES is their number (default 500),
PROPERTIES_SEED makes them others than each time.
"""

from __future__ import annotations

import math
import os

import my_ops
import torch
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

CASES = int(os.environ.get("CASES", "500"))
SEED = int(os.environ.get("PROPERTIES_SEED", "0"))
INTEGERS = {torch.float64: torch.int64, torch.float32: torch.int32}
DIFFERENTIABLE = hasattr(torch.ops.my_ops, "_muladd_backward")

DTYPES = st.sampled_from([torch.float32, torch.float64, torch.float16, torch.bfloat16])
# Of each, hypothesis likes nan, inf, -0.0, the greatest and the least, and those without full precision.
NUMBERS = st.one_of(
    st.floats(),
    st.sampled_from(
        [math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, 1e-40, -1e-45, 6e-8, 65504.0]
    ),
    st.floats(-4, 4),
)
# Parts of tiles, whole ones, and more than a thread gets.
SHAPES = st.one_of(
    st.lists(st.integers(0, 5), max_size=4),
    st.lists(st.sampled_from([1, 31, 32, 33, 257]), max_size=2),
)


@st.composite
def tensors(draw, shape: list[int], dtype: torch.dtype) -> torch.Tensor:
    """Draw a tensor of a few numbers, with any order of its dimensions in memory, steps, offset, and repetition."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 2, 3])) for _ in shape]
    repeated = [draw(st.sampled_from([False, False, True])) for _ in shape]
    offset = draw(st.integers(0, 3))
    sizes = [1 if repeated[i] else shape[i] * steps[i] for i in order]
    numbers = torch.tensor(draw(st.lists(NUMBERS, min_size=1, max_size=6)), dtype=torch.float64)
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    chosen = torch.randint(len(numbers), (math.prod(sizes) + offset,), generator=generator)
    memory = numbers[chosen].to(dtype)[offset:].view(sizes)
    x = memory.permute([order.index(i) for i in range(len(shape))])
    return x[tuple(slice(None, None, step) for step in steps)].expand(shape)


@st.composite
def arguments(draw):
    shape, dtype = draw(SHAPES), draw(DTYPES)
    a, b, grad_out = (draw(tensors(shape, dtype)) for _ in range(3))
    return a, b, draw(NUMBERS), grad_out


def bits(x: torch.Tensor) -> torch.Tensor:
    """Return what tells 0.0 from -0.0, and no nan from another."""
    x = torch.where(x.isnan(), torch.full_like(x, torch.nan), x).contiguous()
    return x.view(INTEGERS.get(x.dtype, torch.int16))


def check_same(actual: torch.Tensor, expected: torch.Tensor, like: torch.Tensor) -> None:
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    assert actual.stride() == torch.empty_like(like).stride()
    assert torch.equal(bits(actual), bits(expected)), (actual, expected)


@seed(SEED)
@settings(max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(arguments())
def check_muladd(given_arguments) -> None:
    a, b, c, grad_out = given_arguments
    wide = torch.promote_types(a.dtype, torch.float32)
    before = a.clone(), b.clone()
    number = torch.tensor(c, dtype=torch.float64).to(wide)
    expected = (a.to(wide) * b.to(wide) + number).to(a.dtype)
    check_same(my_ops.muladd(a, b, c), expected, a)
    for x, old in zip((a, b), before):
        assert torch.equal(bits(x), bits(old)), "an argument was written to"
    if DIFFERENTIABLE:
        inputs = [a.detach().requires_grad_(), b.detach().requires_grad_()]
        grads = torch.autograd.grad(my_ops.muladd(*inputs, c), inputs, grad_out)
        for grad, other in zip(grads, (b, a)):
            check_same(grad, (grad_out.to(wide) * other.to(wide)).to(a.dtype), a)
    counts["cases"] += 1


counts = {"cases": 0}
check_muladd()
print(counts["cases"], "cases are the same as with PyTorch's own operators, seed", SEED)
assert counts["cases"] >= CASES
