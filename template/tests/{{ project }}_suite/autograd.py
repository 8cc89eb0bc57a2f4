"""Tests of the gradient, for operators that have one."""

import pytest
import torch

from .common import (
    PACKAGE,
    as_double,
    as_list,
    comparing,
    compiled,
    each,
    in_another_stream,
    only_with,
    opcheck,
    schema_of,
    with_busy_streams,
)
from .facts import Facts
from .transforms import TRACES, TRANSFORMS, called, traced_by_jit, vmap_then_backward


def differentiable(args):
    return [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]


class Gradients(Facts):
    # ---- Facts

    @property
    def functions(self):
        """The functions that the gradient tests call, by name; none without a gradient."""
        if self.backward is None:
            return {}
        if self.returned:  # the registered operator does not return the written arguments
            return {"public": self.public}
        return {"public": self.public, "torch.ops": self.registered}

    @property
    def inputs(self):
        """The positions, by name, of tensors whose gradient a flag `needs_<name>` requests."""
        flags = {x.name for x in schema_of(self.backward).arguments} if self.backward else ()
        return {x.name: i for i, x in enumerate(self.arguments) if f"needs_{x.name}" in flags}

    @property
    def needed(self):
        """The positions of the flags `needs_<name>` among the backward operator's arguments."""
        arguments = schema_of(self.backward).arguments if self.backward else []
        return [i for i, x in enumerate(arguments) if x.name.startswith("needs_")]

    @property
    def several_results(self):
        count = len(schema_of(self.op).returns)
        return range(count) if self.backward and count > 1 else []

    @property
    def forward(self):
        """The operator `_<name>_forward`, without Python code at the Autograd key, or None."""
        packet = getattr(getattr(torch.ops, PACKAGE), f"_{self.name}_forward", None)
        return packet and self.backward and packet.default

    @property
    def transforms(self):
        """Transforms of PyTorch, by name."""
        if not self.full or self.backward is None or self.written:
            return {}
        left_out = [vmap_then_backward] if self.lists else []
        # torch.jit.trace supports no argument of this type (PyTorch 2.15).
        if any("Device" in str(x.type) for x in self.arguments):
            left_out.append(traced_by_jit)
        return {f.__name__: f for f in TRANSFORMS if f not in left_out}

    # ---- Comparisons

    def backward_args(self, layout, device):
        """Return arguments for the backward operator that request every gradient."""
        args = self.make_args(layout, device=device)
        given = {x.name: value for x, value in zip(self.arguments, args)}
        given |= {schema_of(self.backward).arguments[i].name: True for i in self.needed}
        grad_outs = [torch.randn_like(x) for x in self.results(self.public(*args))]
        rest = schema_of(self.backward).arguments[len(grad_outs) :]
        return [*grad_outs, *(given[x.name] for x in rest)]

    def compare_gradient(self, grad, expected):
        self.assert_close(grad, expected)

    def check_gradients(self, function, args, results=slice(None), alone=""):
        """Compare a function's gradients with the reference's. `results` selects its results."""
        outs = self.results(function(*args))[results]
        grad_outs = [torch.randn_like(out) for out in outs]
        actual = torch.autograd.grad(outs, differentiable(args), grad_outs)
        doubles = as_double(args)
        expected = torch.autograd.grad(
            self.results(self.reference(*doubles))[results],
            differentiable(doubles),
            [grad_out.double() for grad_out in grad_outs],
        )
        inputs = [x.name for x, value in zip(self.arguments, args) if differentiable([value])]
        for name, grad, value in zip(inputs, actual, expected):
            with comparing(self.op, f"the gradient of {name}{alone}", args):
                self.compare_gradient(grad, value)

    def gradcheck(self, function, args):
        with comparing(self.op, "the gradient", args, reference="finite differences"):
            torch.autograd.gradcheck(function, args)
        # If only this fails, the fault is in the reference or in PyTorch.
        sides = f"{self.name}_reference", "finite differences"
        with comparing(self.op, "the second derivative", args, *sides):
            torch.autograd.gradgradcheck(function, args)

    # ---- Tests

    @each(function="functions", position="required")
    def test_refuses_none_where_a_gradient_is_needed(self, function, position):
        args = self.make_args(requires_grad=True)
        args[position] = None
        message = f"{self.name}: {self.arguments[position].name} must be a tensor, but is None"
        if not any(isinstance(x, torch.Tensor) for x in args):
            message += "|no tensor arguments"
        with pytest.raises(RuntimeError, match=message):
            function(*args)

    @only_with("backward")
    @each(layout="usual_layouts", dtype="dtypes")
    def test_gradients(self, layout, dtype, device, poison):
        args = self.make_args(layout, dtype, device, requires_grad=True)
        self.check_gradients(self.public, args)

    @only_with("backward")
    def test_strided_gradients(self, device, poison):
        args = self.make_args(device=device, requires_grad=True)
        self.check_gradients(self.public, self.strided(args))

    @pytest.mark.cuda
    @only_with("backward")
    @with_busy_streams
    def test_gradients_on_the_current_stream(self, busy, poison):
        args = self.backward_args("large", "cuda")
        expected = as_list(self.backward(*args))
        actual = as_list(in_another_stream(busy, args, lambda: self.backward(*args)))
        streams = "a stream other than the default", "the default stream"
        with comparing(self.backward, "the gradient", args, *streams):
            for grad, value in zip(actual, expected):
                self.compare_gradient(grad, value.double())

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
        alone = " without the others" if len(self.inputs) > 1 else ""
        self.check_gradients(function, args, alone=alone)

    @each(function="functions")
    def test_gradient_of_an_expanded_grad_out(self, function, device):
        args = self.make_args(device=device, requires_grad=True)
        outs = self.results(function(*args))
        total = sum(out.sum() for out in outs)
        expanded = torch.autograd.grad(total, differentiable(args), retain_graph=True)
        ones = [torch.ones_like(out) for out in outs]
        contiguous = torch.autograd.grad(outs, differentiable(args), ones)
        torch.testing.assert_close(expanded, contiguous)

    @only_with("full", "backward")
    @each(layout="some_layouts")
    def test_opcheck_with_gradient(self, layout, device):
        opcheck(self.op, self.make_args(layout, device=device, requires_grad=True))
        opcheck(self.backward, self.backward_args(layout, device))

    @each(flag="needed")
    @pytest.mark.parametrize("layout", ["contiguous", "empty"])
    def test_gradients_that_are_not_needed(self, layout, flag, device):
        args = self.backward_args(layout, device)
        all_grads = as_list(self.backward(*args))
        flags = [i == flag for i in self.needed]
        grads = as_list(self.backward(*args[: -len(flags)], *flags))
        for is_needed, grad, expected in zip(flags, grads, all_grads):
            assert torch.equal(grad, expected) if is_needed else grad is None

    @each(used="several_results", function="functions")
    def test_gradient_of_one_result(self, used, function, device):
        args = self.make_args(device=device, requires_grad=True)
        self.check_gradients(function, args, slice(used, used + 1))

    @each(positions="absent", function="functions")
    def test_gradients_without(self, positions, function, device):
        args = self.make_args(device=device, dtype=torch.float64, requires_grad=True)
        args = self.without(positions, args)
        self.check_gradients(function, args)
        self.gradcheck(function, args)

    @only_with("forward")
    @each(layout="some_layouts")
    def test_opcheck_without_gradient(self, layout, device):
        opcheck(self.forward, self.make_args(layout, device=device))

    @each(transform="transforms", function="functions")
    @pytest.mark.filterwarnings("ignore:There is a performance drop")
    def test_transforms(self, transform, function, device):
        args = self.make_args(dtype=torch.float64, device=device, requires_grad=True)
        tensors = [x.detach() for x in differentiable(args)]

        def with_tensors(function):
            def f(*tensors):
                rest = iter(tensors)
                given = [next(rest) if differentiable([x]) else x for x in args]
                outs = function(*given)
                return sum(outs) if isinstance(outs, (list, tuple)) else outs

            return f

        actual = transform(with_tensors(function), tensors)
        of_reference = called if transform in TRACES else transform
        expected = of_reference(with_tensors(self.reference), tensors)
        with comparing(self.op, f"what {transform.__name__} returns", args):
            torch.testing.assert_close(actual, expected)
