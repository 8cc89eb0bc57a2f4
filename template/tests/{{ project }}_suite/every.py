"""The tests that operators of every kernel have in the same form."""

import pytest
import torch

from .common import (
    SAME_MEMORY,
    each,
    in_another_stream,
    refuse_reference,
    tensors_of,
    with_busy_streams,
)
from .facts import Facts


class Every(Facts):
    def test_computes_by_its_own_kernel(self):
        functions = self.public, self.reference
        refuse_reference(self.op, *functions, self.draw(), self.has_cpu_kernel)

    def test_other_values_in_the_same_memory(self, device):
        """A kernel that caches results by the address of its arguments returns earlier results."""
        args, other = (self.draw(device) for _ in range(2))
        pairs = list(zip(tensors_of(args), tensors_of(other)))
        if any(x.shape != y.shape for x, y in pairs):
            pytest.skip("make_args draws other sizes")
        self.check(self.public, args)
        for x, y in pairs:
            x.data.copy_(y)  # unknown to autograd
        args = [x if tensors_of([x]) else y for x, y in zip(args, other)]
        self.check(self.public, args, SAME_MEMORY)

    @each(position="required")
    @pytest.mark.parametrize("called", ["function", "op", "fake"])
    def test_refuses_none(self, called, position):
        args = self.draw("meta" if called == "fake" else "cpu")
        args[position] = None
        message = f"{self.name}: {self.arguments[position].name} must be a tensor, but is None"
        if called != "function" and not tensors_of(args):
            message += "|no tensor arguments"  # PyTorch may refuse it before the operator runs
        with pytest.raises(RuntimeError, match=message):
            (self.public if called == "function" else self.registered)(*args)

    # ---- On a GPU

    @pytest.mark.cuda
    @with_busy_streams
    def test_launches_on_the_current_stream(self, busy, poison):
        def function(*args):
            return in_another_stream(busy, args, lambda: self.public(*args))

        what = "the result in a stream other than the default"
        self.check(function, self.draw("cuda", "large"), what)

    @pytest.mark.cuda
    @pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
    def test_runs_on_the_device_of_its_arguments(self):
        with torch.cuda.device(0):
            self.check(self.public, self.draw("cuda:1", "large"))
