"""The kit's `checks.py`, imported where it is: nothing is rendered or compiled."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
import torch
from render import kit_module
from torch.utils._python_dispatch import TorchDispatchMode

LIBRARY = torch.library.Library("_kit_of_tests", "DEF")


@pytest.fixture(scope="module")
def checks():
    return kit_module("_kit.checks")


def define(schema: str, function, key: str = "CPU"):
    """Define an operator whose kernel is a function in Python, and return it."""
    name = schema.partition("(")[0]
    LIBRARY.define(schema)
    LIBRARY.impl(name, function, key)
    return getattr(torch.ops._kit_of_tests, name).default


X = torch.zeros(2, 3)
REFUSALS = {
    "b must have the dtype of a, Float, but has Double": X.double(),
    "b must be on cpu, the device of a, but is on meta": X.to("meta"),
    r"b must have the shape of a, \[2, 3\], but has \[3\]; broadcast them first: torch.broadcast_tensors": X[
        0
    ],
}


@pytest.mark.parametrize("message", REFUSALS)
def test_like_names_the_argument_and_its_value(checks, message):
    check = checks.Checks("op", "a", X)
    check.like("b", X)
    check.like("b", None)
    with pytest.raises(RuntimeError, match=f"^op: {message}"):
        check.like("b", REFUSALS[message])


def test_floating_refuses_dtypes_without_a_kernel(checks):
    check = checks.Checks("op", "a", X.int())
    message = "op: a must have dtype Float, Double, Half or BFloat16, but has Int"
    with pytest.raises(RuntimeError, match=f"^{message}$"):
        check.floating()


def test_check_defined_names_the_first_that_is_none(checks):
    checks.check_defined("op", a=X)
    with pytest.raises(RuntimeError, match="^op: b must be a tensor, but is None$"):
        checks.check_defined("op", a=X, b=None, c=None)


def test_columns_have_an_element_for_each_column(checks):
    check = checks.Checks("op", "x", X)
    check.rows()
    check.columns("weight", X[0], "x", X)
    check.columns("bias", None, "x", X)
    with pytest.raises(RuntimeError, match=r"weight must have the shape of a row of x, \[3\]"):
        check.columns("weight", X[:, 0], "x", X)
    with pytest.raises(RuntimeError, match="weight must have the dtype of x"):
        check.columns("weight", X[0].double(), "x", X)
    with pytest.raises(RuntimeError, match="x must have at least one dimension"):
        checks.Checks("op", "x", X[0, 0]).rows()


def test_factors_and_products_have_shapes_that_fit(checks):
    check = checks.Checks("op", "a", X)
    check.factors("b", X.t())
    check.product("c", X[:, :2], "b", X.t())
    with pytest.raises(RuntimeError, match=r"b must have the shape \[3, 3\]"):
        check.factors("b", X)
    with pytest.raises(RuntimeError, match="b must have two dimensions"):
        check.factors("b", X[0])
    with pytest.raises(
        RuntimeError, match=r"c must have the shape of the product of a and b, \[2, 2\]"
    ):
        check.product("c", X, "b", X.t())


def test_channels_are_the_last_dimension(checks):
    check = checks.Checks("op", "image", X)
    check.channels(3)
    with pytest.raises(RuntimeError, match=r"image must have 4 channels .* the shape \[2, 3\]"):
        check.channels(4)


# A shape as ops/<op>.py writes it, the shape of `...`, and whether [2, 3] has it.
SHAPES = [
    ([2, 3], None, True),
    (["N", "D"], None, True),
    ([("N", 2), ("2 * N", 4)], None, False),
    (["N"], None, False),
    (["...", "D"], None, True),
    (["...", "D"], [2], True),
    (["...", "D"], [5], False),
    (["...", "H", "W", "C"], None, False),
    (["N", "*space", "C"], None, True),
    (["*space"], None, True),
    (["N", "C", "H", "*space"], None, False),
    ([("*space", [2]), "N"], None, True),
    ([("*space", [3]), "N"], None, False),
    (["N", ("*space", (3,))], None, True),
    (["...", "N", ("*space", [])], None, True),
    (["...", "*space"], [2], True),
    (["...", "*space"], [3], False),
    (["...", ("*space", [2, 3])], [], True),
]


@pytest.mark.parametrize(("shape", "leading", "fits"), SHAPES)
def test_checks_compare_shapes(checks, shape, leading, fits):
    check = checks.Checks("op", "first", X)
    refusal = pytest.raises(RuntimeError, match=r"^op: x must have the shape \[.*\[2, 3\]$")
    with nullcontext() if fits else refusal:
        check("x", X, None, shape, leading)


def test_checks_refuse_sizes_that_no_tensor_has(checks):
    size = checks.Checks("op", "first", X).size
    assert size("N", 0) == 0
    with pytest.raises(RuntimeError, match="negative: N - 1 = -1"):
        size("N - 1", -1)
    with pytest.raises(RuntimeError, match=r"too large: N \* N"):
        size("N * N", 2**63)
    assert (checks.quotient(6, 3), checks.quotient(6, 0)) == (2, 0)


def test_checks_name_each_tensor_of_a_list(checks):
    check = checks.Checks("op", "first", X)
    with pytest.raises(RuntimeError, match=r"tables\[1\] must have dtype Float, but has Int"):
        check.each("tables", [X, X.int()], torch.float32)
    with pytest.raises(RuntimeError, match="tables must have at least one tensor"):
        checks.check_not_empty("op", others=[X], tables=[])


def test_a_result_in_float8_has_no_gradient(checks):
    """torch.compile asks for one, and a vjp of no result is an error."""
    x = torch.ones(3, requires_grad=True)
    grads = [torch.ones(3).to(torch.float8_e5m2)]
    assert checks.vjp(lambda x: x.to(torch.float8_e5m2), grads, x, 0.5) == (None, None)
    (found,) = checks.vjp(lambda x: [x * 2, x.to(torch.float8_e5m2)], [torch.ones(3), *grads], x)
    assert found.tolist() == [2, 2, 2]


def test_needs_gradient_looks_into_lists(checks):
    leaf = X.clone().requires_grad_()
    for given in [(leaf,), (X, None, leaf), ([X, leaf],), ((leaf, X), None)]:
        assert checks.needs_gradient(*given) and checks.only_autograd_records(*given)
        with torch.no_grad():
            assert not checks.needs_gradient(*given) and not checks.only_autograd_records(*given)
    for given in [(X,), (None, X), ([X],), (), (1.0, "x")]:
        assert not checks.needs_gradient(*given) and not checks.only_autograd_records(*given)


class Mode(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


WATCHED = {
    "autocast": lambda: torch.autocast("cpu"),
    "dispatch mode": Mode,
    "forward mode": torch.autograd.forward_ad.dual_level,
}


@pytest.mark.parametrize("name", WATCHED)
def test_a_call_is_watched_in(checks, name):
    leaf = X.clone().requires_grad_()
    assert not checks.is_watched(leaf, [X], None)
    with WATCHED[name]():
        assert checks.is_watched(leaf) and not checks.only_autograd_records(leaf)


def test_a_call_is_watched_by_transforms_and_tracers(checks):
    answers = []

    def ask(x):
        answers.append((checks.is_watched(x), checks.is_watched([x]), checks.needs_gradient(x)))
        return x * 2

    torch.vmap(ask)(X)
    torch.func.grad(lambda x: ask(x).sum())(X)
    torch.jit.trace(ask, (X,), check_trace=False)
    assert all(watched and in_list for watched, in_list, _ in answers)
    answers.clear()
    torch.fx.symbolic_trace(ask)  # whose proxies cannot be asked for a truth value
    assert answers == [(True, True, False)]


def test_torch_compile_goes_through_in_one_graph(checks):
    def ask(x, tables):
        looks = checks.only_autograd_records(x, tables), checks.is_watched(x, tables)
        return x * 2 if looks == (False, True) else x

    for x in X + 1, (X + 1).requires_grad_():
        compiled = torch.compile(ask, fullgraph=True, backend="eager")
        torch.testing.assert_close(compiled(x, [x, X]), x * 2)


def test_before_kernel_computes_by_the_reference(checks):
    op = define("double(Tensor x) -> Tensor", lambda x: pytest.fail("the kernel ran"))
    checks.before_kernel(
        [op], "double", True, False, lambda x: x.new_empty(x.shape), lambda x: x * 2
    )
    torch.testing.assert_close(op(X + 1), (X + 1) * 2)
    torch.use_deterministic_algorithms(True)
    try:
        with pytest.raises(RuntimeError, match="_kit_of_tests::double does not have a determinist"):
            op(X)
        torch.use_deterministic_algorithms(True, warn_only=True)
        with pytest.warns(UserWarning, match="in any order"):
            op(X)
    finally:
        torch.use_deterministic_algorithms(False)


def test_before_kernel_fills_what_is_written_and_cuts_what_is_counted(checks):
    schema = "positive(Tensor(a!) most, Tensor x, Tensor? y=None) -> (Tensor, Tensor?)"
    op = define(schema, lambda *args: pytest.fail("the kernel ran"))

    def fake(most, x, y=None, *, K=None):
        return x.new_empty(K), None

    def reference(most, x, y=None):
        return x.max(), x[x > 0], None

    checks.before_kernel([op], "positive", False, False, fake, reference, sized=["K"])
    most = torch.zeros(())
    found, absent = op(most, torch.tensor([-1.0, 2.0, 3.0]))
    assert (most.item(), found.tolist(), absent) == (3, [2, 3], None)


def test_before_kernel_lets_a_kernel_run(checks):
    op = define("triple(Tensor x) -> Tensor", lambda x: x * 3)
    checks.before_kernel([op], "triple", True)
    torch.testing.assert_close(op(X + 1), (X + 1) * 3)


def test_a_batch_is_one_call(checks):
    calls = []
    op = define("add(Tensor x, Tensor y) -> Tensor", lambda x, y: calls.append(1) or x + y)
    checks.register_batched(op)
    torch.testing.assert_close(torch.vmap(op, (1, None))(X, X[:, 0] + 1), X.t() + 1)
    assert len(calls) == 1


def test_a_gradient_is_the_functions_or_in_transforms_the_references(checks):
    op = define("square(Tensor x, int n=2) -> Tensor", lambda x, n=2: x**n)
    LIBRARY.define("_square_autograd(Tensor x, int n=2) -> Tensor")

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            assert n == 2
            return x**n

        @staticmethod
        def backward(ctx, grad):
            return grad * 100, None

    checks.register_gradient(op, Function, lambda x, n=2: x**n)
    autograd = torch.ops._kit_of_tests._square_autograd
    leaf = (X + 1).requires_grad_()
    assert torch.autograd.grad(autograd(leaf).sum(), leaf)[0].unique() == 100
    assert torch.func.grad(lambda x: autograd(x).sum())(X + 1).unique() == 2


def test_a_call_without_a_gradient_runs_below_autograd(checks):
    op = define("cube(Tensor x, Tensor[] more, int n=3) -> Tensor[]", lambda x, more, n=3: [x**n])
    forward_op = define(
        "_cube_forward(Tensor x, Tensor[] more, int n=3) -> Tensor[]", lambda x, more, n=3: [x**n]
    )

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, more, n, *others):
            assert len(more) == len(others) == 2
            return tuple(run(x, more, n))

        @staticmethod
        def backward(ctx, grad):
            return grad * 100, None, None, grad, grad

    run = checks.below_gradient(op, forward_op)
    checks.register_gradient(op, Function, lambda x, more, n=3: [x**n], run)
    more = [X.clone(), X.clone().requires_grad_()]
    (out,) = op(X, more)
    assert torch.autograd.grad(out.sum(), more[1])[0].unique() == 1
    assert not op(X, [X])[0].requires_grad
    assert torch.func.grad(lambda x: op(x, [X])[0].sum())(X + 1).unique() == 3
    with pytest.raises(RuntimeError, match="cube: x must be a tensor, but is None"):
        op(None, [X])


def test_a_function_may_give_a_list_no_gradient(checks):
    """As the one of an elementwise operator, whose lists are not in the formula."""
    op = define("scaled(Tensor x, Tensor[] more) -> Tensor", lambda x, more: x * 2)

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, more):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2, None

    define("_scaled_forward(Tensor x, Tensor[] more) -> Tensor", lambda x, more: x * 2)
    checks.register_gradient(op, Function, lambda x, more: x * 2, lambda x, more: x * 2)
    leaf = (X + 1).requires_grad_()
    assert torch.autograd.grad(op(leaf, [X, X]).sum(), leaf)[0].unique() == 2


def test_vjp_has_a_gradient_for_each_argument(checks):
    def reference(x, index, tensors, scale=2.0, weight=None, *, bias):
        assert scale == 3 and weight is None
        return x.long(), (x * scale + bias)[index], tensors[0] * tensors[1]

    args = torch.rand(3), torch.tensor([0, 2]), [torch.rand(2), torch.rand(2)]
    grads = [torch.ones(2), torch.full((2,), 5.0)]
    found = checks.vjp(reference, grads, *args, 3.0, None, bias=torch.zeros(3))
    grad_x, *none, grad_bias, first, second = found
    assert none == [None] * 4
    assert (grad_x.tolist(), grad_bias.tolist()) == ([3, 0, 3], [1, 0, 1])
    torch.testing.assert_close((first, second), (args[2][1] * 5, args[2][0] * 5))
    # The first tensor, and tensors of a list, may have integers, which have no gradient.
    grad_x, *_ = checks.vjp(lambda x, y: y * x, [torch.ones(3)], torch.arange(3), torch.rand(3))
    assert grad_x is None


def test_vjp_leaves_out_values_that_are_written(checks):
    found = checks.vjp(lambda out, x: (x * 2, x * 3), [torch.ones(3)], None, torch.rand(3))
    assert found[0] is None and found[1].tolist() == [3, 3, 3]


@pytest.mark.parametrize("differentiable", [False, True])
def test_autograd_learns_what_is_written(checks, differentiable):
    name = f"add_to_{differentiable}"

    def kernel(out, x, other=None):
        out.data.add_(x)  # as a kernel does: autograd does not see it
        return x * 2

    arguments = "(Tensor(a!) out, Tensor x, Tensor(b!)? other=None) -> Tensor"
    op, forward_op = (define(f"{x}{arguments}", kernel) for x in (name, f"{name}_forward"))

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, out, x, other):
            return forward_op(out, x, other)

        @staticmethod
        def backward(ctx, grad):
            return None, grad * 2, None

    checks.register_writing(op, forward_op, Function if differentiable else None)
    out, leaf = torch.zeros(3), torch.ones(3, requires_grad=True)
    op(out, leaf.detach())
    assert out.tolist() == [1, 1, 1] and out._version == 1
    if differentiable:
        op(out, leaf).sum().backward()
        assert leaf.grad.tolist() == [2, 2, 2] and out._version == 2
    else:
        with pytest.raises(RuntimeError, match="x must not require a gradient, because the oper"):
            op(out, leaf)
    with pytest.raises(RuntimeError, match="out (is written to, so it )?must not require a gr"):
        op(leaf, out)
    with pytest.raises(RuntimeError, match=f"call `{name}_reference` there"):
        torch.func.grad(lambda x: op(torch.zeros(3), x).sum())(torch.ones(3))
    with pytest.raises(RuntimeError, match="out is written to and must not be a view with is_neg"):
        op(torch._neg_view(out), out)
