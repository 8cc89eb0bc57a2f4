"""An operator in PyTorch's own checks, in torch.compile, in autocast and in torch.vmap."""

import pytest
import torch

from .common import (
    PRIVATE,
    as_double,
    comparing,
    compiled,
    each,
    only_with,
    opcheck,
)
from .facts import Facts


class Calls(PRIVATE.TorchDispatchMode):
    """Counts the calls of an operator's kernels."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.count = 0

    def __torch_dispatch__(self, op, types, args=(), keywords=None):
        self.count += op is self.op
        return op(*args, **(keywords or {}))


class InPyTorch(Facts):
    @each(layout="some_layouts")
    def test_opcheck(self, layout, device):
        opcheck(self.op, self.make_args(layout, device=device))

    @each(positions="absent")
    def test_opcheck_without(self, positions, device):
        opcheck(self.op, self.without(positions, self.make_args(device=device)))

    @pytest.mark.parametrize("dynamic", [False, True])
    def test_compile(self, dynamic, device):
        function = compiled(self.public, dynamic=dynamic)
        self.check(function, self.make_args("transposed", device=device))

    @each(position="floats")
    def test_compile_with_its_cache(self, position, device):
        """PyTorch's cache of compiled code must not keep an earlier float (pytorch#197889)."""
        function = compiled(self.public)
        with PRIVATE.fresh_cache(), PRIVATE.cache_of_gradients(True):
            for value in (0.75, 0.25, 0.5):
                args = self.make_args(device=device)
                args[position] = value
                self.check(function, args)

    @only_with("full")
    @each(position="numbers")
    def test_compile_refuses_a_tensor_for_a_number(self, position, device):
        """Outside of torch.compile, a call accepts a tensor without dimensions, as in PyTorch."""
        args = self.make_args(device=device)
        args[position] = torch.tensor(args[position], device=device)
        self.check(self.public, args)
        # PyTorch 2.11 quotes the error in another message, with escaped quotation marks.
        refused = rf"argument \\*'{self.arguments[position].name}\\*'"
        with pytest.raises(RuntimeError, match=refused):
            compiled(self.public)(*args)

    @each(position="promoted")
    def test_autocast_computes_in_the_widest_dtype(self, position, device):
        args = self.make_args(device=device)
        args[position] = args[position].bfloat16()
        expected = self.public(*args[:position], args[position].float(), *args[position + 1 :])
        with torch.autocast(device):
            torch.testing.assert_close(self.public(*args), expected)

    @each(position="promoted")
    def test_autocast_converts_no_integers(self, position, device):
        args = self.make_args(device=device)
        args[position] = args[position].int()
        with torch.autocast(device), pytest.raises(RuntimeError, match="must have the dtype"):
            self.public(*args)

    @only_with("batched")
    @pytest.mark.parametrize("count", [None, 1], ids=["all", "one"])
    def test_vmap_of_tensors_is_one_call(self, count, device):
        args = self.make_args(device=device)
        batched = [i for i, x in enumerate(args) if isinstance(x, torch.Tensor)][:count]
        dims = tuple(1 if i in batched else None for i in range(len(args)))
        batch = [torch.stack([x, 2 * x], 1) if i in batched else x for i, x in enumerate(args)]
        with Calls(self.op) as calls:
            out = torch.vmap(self.public, dims)(*batch)
        assert calls.count == 1
        expected = torch.vmap(self.reference, dims)(*as_double(batch))
        with comparing(self.op, "what torch.vmap returns", args):
            torch.testing.assert_close(out, expected, check_dtype=False)
