"""The tests of every operator: test_<operator>.py inherits the tests of its kernel.

What an operator takes, writes and returns is read from its schema, as PyTorch knows it.
"""

from contextlib import contextmanager
from importlib import import_module

import pytest
import torch
from torch._functorch import config
from torch._inductor.utils import fresh_cache
from torch.autograd.gradcheck import GradcheckError

# A test is run for each of what its operator has, a list or a dictionary by names, and is left out
# where that, or another fact that it needs, is empty; conftest.py sees to it.
each, only_with = pytest.mark.each, pytest.mark.only_with
PACKAGE = "my_ops"
import_module(PACKAGE)  # registers the operators
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
# Every way a tensor can lie in memory that a kernel has to tell apart.
LAYOUTS = {
    "contiguous": lambda make: make((6, 5)),
    "transposed": lambda make: make((5, 6)).t(),
    "sliced": lambda make: make((12, 10))[::2, ::2],
    "expanded": lambda make: make((1, 5)).expand(6, 5),
    "misaligned": lambda make: make((31,))[1:].view(6, 5),
    "channels_last": lambda make: make((2, 3, 4, 5)).to(memory_format=torch.channels_last),
    "empty": lambda make: make((0, 5)),
    "zero_dimensional": lambda make: make(()),
    "large": lambda make: make((70_001,)),
    "large_misaligned": lambda make: make((70_002,))[1:],
}


def as_double(args):
    """Return arguments in double, of which those require a gradient that did."""
    return [
        x.detach().double().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x
        for x in args
    ]


def as_list(out):
    """Return tensors that an operator takes or returns, and those of lists, in one list."""
    tensors = [out] if isinstance(out, torch.Tensor) else out or []
    return [y for x in tensors for y in (x if isinstance(x, list) else [x])]


EXPLAINED = set()  # the differences that a failure said all about; the same once more is one line


def described(x):
    """Return dtype, shape, strides and device of a tensor, and any other argument as it is."""
    if isinstance(x, list):
        return f"[{', '.join(map(described, x))}]"
    if not isinstance(x, torch.Tensor):
        return repr(x)
    strides = "" if x.is_contiguous() else f" of strides {list(x.stride())}"
    device = "" if x.is_cpu else f" on {x.device}"
    return f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}{strides}{device}"


@contextmanager
def comparing(op, what, args, source=None, reference=None):
    """Fail in three lines: what differs, in which files; where most; of which arguments."""
    try:
        yield
    except (AssertionError, GradcheckError) as error:
        package, _, name = op._schema.name.partition("::")
        source = source or f"{package}/csrc/{name}/{name}.h"
        reference = reference or f"{name}_reference in {package}/ops/{name}.py"
        message = f"{name}: {what} differs between {source} and {reference}"
        if (name, what) not in EXPLAINED:
            EXPLAINED.add((name, what))
            found = [line for line in str(error).splitlines() if line]
            begins = ("Greatest absolute", "Mismatched", "The failure occurred for")
            most = [line for line in found if line.startswith(begins)]
            given = [f"{x.name} = {described(y)}" for x, y in zip(op._schema.arguments, args)]
            message += f"\n{'; '.join(most or found[:1])}\nwith {', '.join(given)}"
        raise pytest.fail.Exception(message, pytrace=False) from None


def compiled(function, **options):
    torch.compiler.reset()  # which else counts how often it compiled the same function
    return torch.compile(function, fullgraph=True, **options)


def differentiable(args):
    return [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]


class Operator:
    """The tests of every operator. A test class may have other values, methods and tests."""

    name: str
    dtypes = DTYPES
    layouts = LAYOUTS
    rtol = atol = None  # both, where torch.testing.assert_close has to allow more

    # ---- Its functions, which get arguments by position

    @property
    def op(self):
        return getattr(torch.ops.my_ops, self.name).default

    @property
    def public(self):
        return getattr(import_module(PACKAGE), self.name)

    @property
    def reference(self):
        return getattr(import_module(f"{PACKAGE}.ops.{self.name}"), f"{self.name}_reference")

    @property
    def registered(self):
        return self.op

    def opcheck(self, op, args):
        torch.library.opcheck(op, tuple(args))

    @property
    def arguments(self):
        return self.op._schema.arguments

    # ---- Its arguments: positions by name

    def of_type(self, name):
        types = name, f"Optional[{name}]"
        return {x.name: i for i, x in enumerate(self.arguments) if str(x.real_type) in types}

    @property
    def tensors(self):
        return self.of_type("Tensor")

    @property
    def first(self):
        """The tensor whose shape, dtype and device the others have, the first that is always there."""
        return next(i for i in self.tensors.values() if str(self.arguments[i].type) == "Tensor")

    # ---- How it is tested

    @property
    def usual_layouts(self):
        return list(self.layouts)

    @property
    def some_layouts(self):
        """Where strides differ, or there is nothing: what a fake has to tell apart."""
        return [name for name in ("contiguous", "transposed", "empty") if name in self.layouts]

    def pytest_generate_tests(self, metafunc):  # pytest calls it for each test
        for mark in metafunc.definition.iter_markers("each"):
            for parameter, fact in mark.kwargs.items():
                values = getattr(self, fact)
                values = values if isinstance(values, dict) else {str(x): x for x in values}
                metafunc.parametrize(parameter, list(values.values()), ids=list(values))

    def assert_close(self, out, expected, rtol=None, atol=None):
        """Compare tensors of which one is in double; a test class may allow other errors."""
        if self.rtol is not None:
            rtol, atol = self.rtol, self.atol
        torch.testing.assert_close(out, expected.to(out.dtype), rtol=rtol, atol=atol)

    def check_outputs(self, outputs, expected, args):
        for out, value in zip(outputs, expected):
            with comparing(self.op, "the result", args):
                self.compare(out, value)

    def check(self, function, args):
        """Compare what a function writes and returns with the reference."""
        expected = as_list(self.reference(*as_double(args)))
        self.check_outputs(as_list(function(*args)), expected, args)

    # ---- Values

    @each(layout="usual_layouts", dtype="dtypes")
    def test_values(self, layout, dtype, device, poison):
        self.check(self.public, self.make_args(layout, dtype, device))

    # ---- What it refuses

    @property
    def required(self):
        """The tensors that must be given."""
        return {x.name: i for i, x in enumerate(self.arguments) if str(x.type) == "Tensor"}

    @each(position="required")
    @pytest.mark.parametrize("called", ["function", "op", "fake"])
    def test_refuses_none(self, called, position):
        args = self.make_args()
        args[position] = None
        message = f"{self.name}: {self.arguments[position].name} must be a tensor, but is None"
        if called == "fake":
            args = [x.to("meta") if isinstance(x, torch.Tensor) else x for x in args]
        if called != "function" and not any(isinstance(x, torch.Tensor) for x in args):
            message += "|no tensor arguments"  # PyTorch may refuse it before the operator runs
        with pytest.raises(RuntimeError, match=message):
            (self.public if called == "function" else self.registered)(*args)

    # ---- PyTorch's own checks, its compiler and its modes

    @each(layout="some_layouts")
    def test_opcheck(self, layout, device):
        self.opcheck(self.op, self.make_args(layout, device=device))

    @pytest.mark.parametrize("dynamic", [False, True])
    def test_compile(self, dynamic, device):
        function = compiled(self.public, dynamic=dynamic)
        self.check(function, self.make_args("transposed", device=device))

    @property
    def floats(self):
        return self.of_type("float")

    @each(position="floats")
    def test_compile_with_its_cache(self, position, device):
        """The cache of compiled programs keeps no earlier value of a float (pytorch#197889)."""
        function = compiled(self.public)
        with fresh_cache(), config.patch(enable_autograd_cache=True):
            for value in (0.75, 0.25, 0.5):
                args = self.make_args(device=device)
                args[position] = value
                self.check(function, args)

    # ---- Gradient

    @property
    def backward(self):
        """The operator that computes it, of one that has a gradient."""
        return getattr(import_module(f"{PACKAGE}.ops.{self.name}"), "_backward_op", None)

    @property
    def functions(self):
        """The functions that a gradient goes through."""
        if self.backward is None:
            return {}
        return {"public": self.public, "torch.ops": self.registered}

    @property
    def inputs(self):
        """The tensors of which the backward computes a gradient or not, by a flag."""
        flags = {x.name for x in self.backward._schema.arguments} if self.backward else ()
        return {x.name: i for i, x in enumerate(self.arguments) if f"needs_{x.name}" in flags}

    def check_gradients(self, function, args, results=slice(None), alone=""):
        """Compare the gradients of results of a function with the reference's."""
        outs = as_list(function(*args))[results]
        grad_outs = [torch.randn_like(out) for out in outs]
        actual = torch.autograd.grad(outs, differentiable(args), grad_outs)
        doubles = as_double(args)
        expected = torch.autograd.grad(
            as_list(self.reference(*doubles))[results],
            differentiable(doubles),
            [grad_out.double() for grad_out in grad_outs],
        )
        inputs = [x.name for x, value in zip(self.arguments, args) if differentiable([value])]
        for name, grad, value in zip(inputs, actual, expected):
            with comparing(self.op, f"the gradient of {name}{alone}", args):
                self.assert_close(grad, value)

    @each(function="functions", position="required")
    def test_refuses_none_where_a_gradient_is_needed(self, function, position):
        args = self.make_args(requires_grad=True)
        args[position] = None
        message = f"{self.name}: {self.arguments[position].name} must be a tensor, but is None"
        if not any(isinstance(x, torch.Tensor) for x in args):
            message += "|no tensor arguments"
        with pytest.raises(RuntimeError, match=message):
            function(*args)

    def gradcheck(self, function, args):
        with comparing(self.op, "the gradient", args, reference="finite differences"):
            torch.autograd.gradcheck(function, args)
        # If this alone fails, it is the reference, or PyTorch.
        with comparing(self.op, "the second derivative", args, reference="finite differences"):
            torch.autograd.gradgradcheck(function, args)

    @only_with("backward")
    @each(layout="usual_layouts", dtype="dtypes")
    def test_gradients(self, layout, dtype, device, poison):
        args = self.make_args(layout, dtype, device, requires_grad=True)
        self.check_gradients(self.public, args)

    @each(function="functions")
    @pytest.mark.parametrize("layout", ["contiguous", "transposed"])
    def test_gradcheck(self, layout, function, device):
        self.gradcheck(function, self.make_args(layout, torch.float64, device, requires_grad=True))

    @only_with("backward")
    def test_compiled_gradients(self, device):
        args = self.make_args("transposed", device=device, requires_grad=True)
        self.check_gradients(compiled(self.public), args)

    @each(position="inputs", function="functions")
    def test_gradient_of_one_argument(self, position, function, device):
        args = self.make_args(device=device)
        args[position].requires_grad_()
        alone = " alone, for which the forward of its Function may keep too few tensors,"
        self.check_gradients(function, args, alone=alone)


class Elementwise(Operator):
    def compare(self, out, expected):
        strides = torch.empty_like(expected).stride()
        assert out.stride() == strides, f"The strides are {out.stride()}, not {strides}."
        self.assert_close(out, expected)
