"""`muladd` against its reference, in every dtype and layout, on CPU and GPU."""

import os

import pytest
import torch
from common import DTYPES, LAYOUTS
from torch.utils._python_dispatch import TorchDispatchMode

from my_ops import muladd as PUBLIC
from my_ops._vmap import OPS as BATCHED
from my_ops.ops.muladd import muladd_reference

NAMESPACE = torch.ops.my_ops
OP = NAMESPACE.muladd.default


def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `muladd`.

    EDIT: such as the formula takes; of two bounds, say, the first has to be the lower.
    """

    def make(shape):
        return torch.randn(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

    return [tensor(), tensor(), torch.randn(()).item()]


def as_double(args):
    return [x.detach().double() if isinstance(x, torch.Tensor) else x for x in args]


def compare(out, expected):
    assert out.stride() == torch.empty_like(expected).stride()
    torch.testing.assert_close(out, expected.to(out.dtype))


def check(function, args):
    """Compare what a function returns with the reference."""
    expected = muladd_reference(*as_double(args))
    out = function(*args)
    compare(out, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_values(layout, dtype, device, poison):
    check(PUBLIC, make_args(layout, dtype, device))


def test_refuses_other_dtypes(any_device):
    args = [x.int() if isinstance(x, torch.Tensor) else x for x in make_args(device=any_device)]
    message = "a must have dtype Float, .* has Int"
    with pytest.raises(RuntimeError, match=message):
        PUBLIC(*args)


TENSORS = {0: "a", 1: "b"}


@pytest.mark.parametrize("position", TENSORS)
def test_refuses_what_is_no_tensor(position):
    args = make_args()
    args[position] = 1.5
    with pytest.raises(RuntimeError, match=f"argument '{TENSORS[position]}'"):
        PUBLIC(*args)


# The other tensors by position: each has to match `a`.
OTHERS = {1: "b"}


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_shape(position, any_device):
    args = make_args(device=any_device)
    args[position] = args[position][:3]
    message = rf"{OTHERS[position]} must have the shape .* has \[3, 5\]"
    with pytest.raises(RuntimeError, match=message):
        PUBLIC(*args)


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_dtype(position, any_device):
    args = make_args(device=any_device)
    args[position] = args[position].double()
    message = f"{OTHERS[position]} must have the dtype .* has Double"
    with pytest.raises(RuntimeError, match=message):
        PUBLIC(*args)


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_device(position, any_device):
    args = make_args(device=any_device)
    other = "meta" if any_device == "cpu" else "cpu"
    args[position] = torch.empty_like(args[position], device=other)
    message = f"{OTHERS[position]} must be on the device .* is on {other}"
    with pytest.raises(RuntimeError, match=message):
        PUBLIC(*args)


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck(layout, device):
    args = make_args(layout, device=device)
    torch.library.opcheck(OP, args)


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile(dynamic, device):
    compiled = torch.compile(PUBLIC, fullgraph=True, dynamic=dynamic)
    check(compiled, make_args("transposed", device=device))


@pytest.mark.cuda
def test_launches_on_the_current_stream():
    def delayed(*args):
        tensors = [x for x in args if isinstance(x, torch.Tensor)]
        values = [x.clone() for x in tensors]
        for x in tensors:
            x.zero_()
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            torch.cuda._sleep(100_000_000)  # on any other stream, the kernel would be done by then
            for x, value in zip(tensors, values):
                x.copy_(value)
            out = PUBLIC(*args)
        torch.cuda.synchronize()
        return out

    check(delayed, make_args("large", device="cuda"))


@pytest.mark.cuda
def test_cuda_graph_replays_with_new_input():
    args = make_args("large", device="cuda")
    PUBLIC(*args)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = PUBLIC(*args)
    for x in args:
        if isinstance(x, torch.Tensor):
            x.mul_(0.5)

    def replay(*args):
        graph.replay()
        return out

    check(replay, args)


@pytest.mark.cuda
@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_runs_on_the_device_of_its_arguments():
    with torch.cuda.device(0):
        check(PUBLIC, make_args("large", device="cuda:1"))


@pytest.mark.cuda
@pytest.mark.skipif(os.environ.get("LARGE") != "1", reason="takes several GB; LARGE=1 asks for it")
def test_indices_beyond_32_bits(poison):
    """EDIT: what it draws, where make_args draws something else."""
    dtype, device = torch.float16, "cuda"

    def tensor():
        return torch.randn(2**31 + 9, dtype=dtype, device=device)

    args = [tensor(), tensor(), torch.randn(()).item()]
    parts = [slice(0, 1000), slice(-1000, None)]
    expected = []
    for part in parts:
        values = [x[part] if isinstance(x, torch.Tensor) else x for x in args]
        doubles = as_double(values)
        expected.append(muladd_reference(*doubles))
    out = PUBLIC(*args)
    for part, values in zip(parts, expected):
        compare(out[part], values)


@pytest.mark.parametrize("position", OTHERS)
def test_autocast_computes_in_the_widest_dtype(position, device):
    args = make_args(device=device)
    args[position] = args[position].bfloat16()
    expected = PUBLIC(*args[:position], args[position].float(), *args[position + 1 :])
    with torch.autocast(device):
        torch.testing.assert_close(PUBLIC(*args), expected)


@pytest.mark.parametrize("position", OTHERS)
def test_autocast_converts_no_integers(position, device):
    args = make_args(device=device)
    args[position] = args[position].int()
    with torch.autocast(device), pytest.raises(RuntimeError, match="must have the dtype"):
        PUBLIC(*args)


class Calls(TorchDispatchMode):
    """Counts the calls of kernels."""

    count = 0

    def __torch_dispatch__(self, op, types, args=(), keywords=None):
        self.count += op is OP
        return op(*args, **(keywords or {}))


@pytest.mark.skipif("muladd" not in BATCHED, reason="PyTorch calls it for each sample")
@pytest.mark.parametrize("count", [None, 1], ids=["all", "one"])
def test_vmap_of_tensors_is_one_call(count, device):
    args = make_args(device=device)
    batched = [i for i, x in enumerate(args) if isinstance(x, torch.Tensor)][:count]
    dims = tuple(1 if i in batched else None for i in range(len(args)))
    batch = [torch.stack([x, 2 * x], 1) if i in batched else x for i, x in enumerate(args)]
    with Calls() as calls:
        out = torch.vmap(PUBLIC, dims)(*batch)
    assert calls.count == 1
    reference = torch.vmap(muladd_reference, dims)
    torch.testing.assert_close(out, reference(*as_double(batch)), check_dtype=False)


@pytest.mark.parametrize("position", [2])
def test_refuses_a_number_that_requires_a_gradient(position, device):
    args = make_args(device=device)
    args[position] = torch.tensor(1.0, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="is a number, of which no gradient is computed"):
        PUBLIC(*args)


def test_sizes_that_depend_on_data(device):
    args = make_args(device=device)
    # The compiler knows a size for each mask, and not that they are the same.
    masks = [torch.tensor([True, False] * 3, device=device) for _ in args]

    def select(args):
        return [x[mask] if isinstance(x, torch.Tensor) else x for x, mask in zip(args, masks)]

    def call(*args):
        return PUBLIC(*select(args))

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        out = torch.compile(call, fullgraph=True)(*args)
    expected = muladd_reference(*as_double(select(args)))
    torch.testing.assert_close(out, expected, check_dtype=False)


# ---- Gradient

BOTH = pytest.mark.parametrize(
    "function",
    [PUBLIC, OP],
    ids=["public", "torch.ops"],
)


NEEDED = [True, True]  # all gradients


def differentiable(args):
    return [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]


def as_differentiable_double(args):
    doubles = as_double(args)
    for x, double in zip(args, doubles):
        if isinstance(x, torch.Tensor):
            double.requires_grad_(x.requires_grad)
    return doubles


def check_gradients(function, args):
    outs = [function(*args)]
    grad_outs = [torch.randn_like(out) for out in outs]
    actual = torch.autograd.grad(outs, differentiable(args), grad_outs)
    doubles = as_differentiable_double(args)
    expected = torch.autograd.grad(
        [muladd_reference(*doubles)],
        differentiable(doubles),
        [grad_out.double() for grad_out in grad_outs],
    )
    for x, a, e in zip(differentiable(args), actual, expected):
        torch.testing.assert_close(a, e.to(x.dtype))


@BOTH
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients(layout, dtype, function, device, poison):
    check_gradients(function, make_args(layout, dtype, device, requires_grad=True))


@BOTH
def test_gradient_of_an_expanded_grad_out(function, device):
    args = make_args(device=device, requires_grad=True)
    outs = [function(*args)]
    total = sum(out.sum() for out in outs)
    expanded = torch.autograd.grad(total, differentiable(args), retain_graph=True)
    ones = [torch.ones_like(out) for out in outs]
    contiguous = torch.autograd.grad(outs, differentiable(args), ones)
    torch.testing.assert_close(expanded, contiguous)


@BOTH
@pytest.mark.parametrize("layout", ["contiguous", "transposed"])
def test_gradcheck(layout, function, device):
    args = make_args(layout, torch.float64, device, requires_grad=True)
    torch.autograd.gradcheck(function, args)
    # Second derivatives are the reference's: if this alone fails, it is the reference, or PyTorch.
    torch.autograd.gradgradcheck(function, args)


BACKWARD = NAMESPACE.muladd_backward.default


def backward_args(layout, device):
    function = PUBLIC
    args = make_args(layout, device=device)
    grad_outs = [torch.randn_like(out) for out in [function(*args)]]
    return [*grad_outs, *args]


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck_with_gradient(layout, device):
    args = make_args(layout, device=device, requires_grad=True)
    torch.library.opcheck(OP, args)
    torch.library.opcheck(BACKWARD, [*backward_args(layout, device), *NEEDED])


def test_compiled_gradients(device):
    compiled = torch.compile(PUBLIC, fullgraph=True)
    check_gradients(compiled, make_args("transposed", device=device, requires_grad=True))


@BOTH
@pytest.mark.parametrize("position", [0, 1])
def test_gradient_of_one_argument(position, function, device):
    """If this alone fails, MuladdFunction keeps less than the gradient reads."""
    args = make_args(device=device)
    args[position].requires_grad_()
    check_gradients(function, args)


@pytest.mark.parametrize("needed", range(len(NEEDED)))
@pytest.mark.parametrize("layout", ["contiguous", "empty"])
def test_gradients_that_are_not_needed(layout, needed, device):
    args = backward_args(layout, device)
    all_grads = BACKWARD(*args, *NEEDED)
    grads = BACKWARD(*args, *(i == needed for i in range(len(NEEDED))))
    for i, (grad, expected) in enumerate(zip(grads, all_grads)):
        assert grad is None if i != needed else torch.equal(grad, expected)


# ---- Transforms of PyTorch. `f` is a function of the differentiable tensors alone, and returns one.

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


def compiled(f, tensors):
    torch.compiler.reset()
    return torch.compile(vjp, fullgraph=True)(f, tensors)


TRANSFORMS = [
    vjp,
    jvp,
    forward_mode,
    forward_over_reverse,
    vmap_then_backward,
    gradients_of_samples,
    compiled,
]


@BOTH
@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_transforms(transform, function, device):
    args = make_args(dtype=torch.float64, device=device, requires_grad=True)
    tensors = [x.detach() for x in differentiable(args)]

    def with_tensors(function):
        def f(*tensors):
            rest = iter(tensors)
            given = [next(rest) if getattr(x, "requires_grad", False) else x for x in args]
            return function(*given)

        return f

    actual = transform(with_tensors(function), tensors)
    expected = transform(with_tensors(muladd_reference), tensors)
    torch.testing.assert_close(actual, expected)
