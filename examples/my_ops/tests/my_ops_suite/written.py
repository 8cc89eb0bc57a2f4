"""Arguments that an operator writes to."""

import pytest
import torch

from .common import PRIVATE, compiled, each, only_with
from .facts import Facts


class Writes(Facts):
    @property
    def written_beside_others(self):
        return self.written if len(self.tensors) > 1 else {}

    @each(position="written")
    def test_refuses_to_write_to_strided_memory(self, position, device):
        args = self.make_args(device=device)
        args[position] = args[position].t().contiguous().t()
        name = self.arguments[position].name
        message = rf"{name} is written to and must be contiguous, .* strides \[1, 6\]"
        with pytest.raises(RuntimeError, match=message):
            self.public(*args)

    @each(position="written_beside_others")
    @pytest.mark.parametrize("shift", [0, 1])
    def test_refuses_shared_memory(self, position, shift, device):
        args = self.make_args(device=device)
        memory = torch.randn(61, device=device)
        other = next(i for i in self.tensors.values() if i != position)
        for i, start in (position, 0), (other, shift):
            args[i] = memory[start : start + args[i].numel()].view(args[i].shape)
        with pytest.raises(RuntimeError, match="is written to and must not share memory"):
            self.public(*args)

    @each(position="written")
    def test_autograd_knows_what_is_written(self, position, device):
        args = self.make_args(device=device)
        version = PRIVATE.version_of(args[position])
        self.public(*args)
        assert PRIVATE.version_of(args[position]) > version
        self.registered(*args)
        assert PRIVATE.version_of(args[position]) > version + 1

    @each(position="written")
    def test_refuses_to_write_to_what_requires_a_gradient(self, position, device):
        args = self.make_args(device=device)
        args[position].requires_grad_()
        name = self.arguments[position].name
        with pytest.raises(RuntimeError, match=f"{name} .* gradient"):
            self.public(*args)
        with torch.no_grad():
            self.check(self.public, args)

    @only_with("written")
    def test_compiled_code_sees_what_is_written(self, device):
        public, written = self.public, list(self.written.values())

        def function(*args):
            before = [args[position] * 2 for position in written]
            public(*args)
            return before, [args[position] * 2 for position in written]

        args = self.make_args(device=device)
        expected = [args[position] * 2 for position in written]
        before, after = compiled(function)(*args)
        torch.testing.assert_close(before, expected)
        torch.testing.assert_close(after, [args[position] * 2 for position in written])
        assert not any(torch.equal(x, y) for x, y in zip(before, after))
