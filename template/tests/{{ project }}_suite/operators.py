"""The tests of all operators except custom ones. A test class can replace any test."""

import pytest
import torch

from .autograd import Gradients, differentiable
from .common import each, only_with, scale_of_sums
from .every import Every
from .pytorch import InPyTorch
from .refusals import Refusals
from .values import OnGpu, Values
from .written import Writes


class Operator(Writes, OnGpu, Gradients, InPyTorch, Refusals, Every, Values):
    """All tests. pytest begins with the last base class: a wrong value explains most failures."""


class WithColumns(Operator):
    """An operator that adds up gradients of columns over rows."""

    def compare_gradient(self, grad, expected):
        scale = scale_of_sums(expected)
        self.assert_close(grad / scale, expected / scale)

    @only_with("backward")
    @each(function="functions")
    def test_gradients_are_the_same_each_time(self, function, device):
        args = self.make_args("many", device=device, requires_grad=True)
        out = function(*args)
        grad_out = torch.randn_like(out)
        first = torch.autograd.grad(out, differentiable(args), grad_out, retain_graph=True)
        second = torch.autograd.grad(out, differentiable(args), grad_out)
        for a, b in zip(first, second):
            assert torch.equal(a, b)


class WithoutGradient(Operator):
    """An operator that refuses to be differentiated."""

    @property
    def numbers_without_gradient(self):
        return self.floats

    def test_refuses_to_differentiate(self, device):
        args = self.make_args(device=device)
        args[self.first].requires_grad_()
        name = self.arguments[self.first].name
        with pytest.raises(RuntimeError, match=f"{name} requires a gradient"):
            self.public(*args)
        with torch.no_grad():
            self.check(self.public, args)
