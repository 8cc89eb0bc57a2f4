"""Arguments that an operator refuses, with a message that names the argument."""

import re

import pytest
import torch

from .common import PROJECT, each
from .facts import Facts


class Refusals(Facts):
    def test_refuses_other_dtypes(self, any_device):
        dtype, word = self.other_dtype
        args = self.make_args(device=any_device)
        args = [x.to(dtype) if isinstance(x, torch.Tensor) else x for x in args]
        name = self.arguments[self.first].name
        with pytest.raises(RuntimeError, match=f"{name} must have dtype .* has {word}"):
            self.public(*args)

    @each(position="tensors")
    def test_refuses_what_is_no_tensor(self, position):
        args = self.make_args()
        args[position] = 1.5
        with pytest.raises(RuntimeError, match=f"argument '{self.arguments[position].name}'"):
            self.public(*args)

    @each(position="others")
    @pytest.mark.parametrize("what", ["shape", "dtype", "device"])
    def test_refuses_another(self, what, position, any_device):
        args = self.make_args(device=any_device)
        x, device = args[position], "meta" if any_device == "cpu" else "cpu"
        others = {"shape": x[:3], "dtype": x.double(), "device": torch.empty_like(x, device=device)}
        args[position] = others[what]
        found = {"shape": list(x[:3].shape), "dtype": "Double", "device": device}[what]
        message = f"{self.arguments[position].name} must .* the {what} .* {re.escape(str(found))}"
        with pytest.raises(RuntimeError, match=message):
            self.public(*args)

    @property
    def numbers_without_gradient(self):
        """The float arguments that must not require a gradient; empty with autograd=none."""
        return self.floats if PROJECT.AUTOGRAD != "none" else {}

    @each(position="numbers_without_gradient")
    def test_refuses_a_number_that_requires_a_gradient(self, position, device):
        args = self.make_args(device=device)
        args[position] = torch.tensor(1.0, device=device, requires_grad=True)
        with pytest.raises(RuntimeError, match="must be a number without a gradient"):
            self.public(*args)
