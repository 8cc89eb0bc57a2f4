"""The tests of products of two matrices."""

import os

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from .common import each, only_with, promoted_by_autocast, scale_of_sums
from .operators import WithColumns

# Without this setting, PyTorch's own products vary between calls.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

# Memory layouts of a matrix.
MEMORY = {
    "transposed": lambda make, rows, columns: make((columns, rows)).t(),
    "sliced": lambda make, rows, columns: make((2 * rows, 2 * columns))[::2, ::2],
    "expanded": lambda make, rows, columns: make((1, columns)).expand(rows, columns),
    "misaligned": lambda make, rows, columns: make((rows * columns + 1,))[1:].view(rows, columns),
}

# Rows, depth and columns of products: whole tiles, parts of tiles, and several tiles; few rows or
# columns and much depth; no elements; and more rows than the kernel of a gradient has blocks.
SIZES = {
    "tiles": (256, 64, 192),
    "odd": (131, 67, 93),
    "large": (600, 200, 400),
    "large_misaligned": (600, 200, 400),
    "many": (3001, 8, 40),
    "few_rows": (3, 4096, 72),
    "few_columns": (72, 4097, 3),
    "empty": (0, 5, 4),
    "no_columns": (6, 5, 0),
    "no_depth": (6, 0, 4),
    "beyond_32_bits": (2**16 + 1, 16, 2**15),
}


class Matmul(WithColumns):
    layouts = (*MEMORY, "contiguous", *SIZES)
    promoted = ()  # autocast converts tensors to its own dtype

    @staticmethod
    def of_layout(layout):
        """Return rows, depth and columns of a product, and a function that makes its matrices."""
        memory = MEMORY.get(layout.removeprefix("large_"), lambda make, *shape: make(shape))
        return *SIZES.get(layout, (6, 5, 4)), memory

    @property
    def lowered(self):
        return self.others if promoted_by_autocast(self.name) else {}

    @property
    def factors(self):
        return [i for i in self.required.values() if i not in self.written.values()][:2]

    @property
    def first(self):
        return self.factors[0]

    def compare(self, out, expected):
        assert out.is_contiguous(), f"The strides are {out.stride()}."
        # The product is rounded in at least float32. If the formula multiplies the product, it also
        # multiplies this error.
        largest = expected.abs().amax().item() if expected.numel() else 0
        wide = torch.promote_types(out.dtype, torch.float32)
        error = 100 * torch.finfo(wide).eps * max(1, largest)
        self.assert_close(out, expected, 2 * torch.finfo(out.dtype).eps, error)

    def compare_gradient(self, grad, expected):
        # On a GPU, the gradient of the product is rounded before it is multiplied.
        rounded = grad.is_cuda and grad.dtype.itemsize <= 2
        error = 2 * torch.finfo(grad.dtype).eps if rounded else None
        scale = scale_of_sums(expected)
        self.assert_close(grad / scale, expected / scale, error, error)

    @each(position="factors")
    def test_refuses_a_batch(self, position, any_device):
        args = self.make_args(device=any_device)
        args[position] = args[position][None]
        with pytest.raises(RuntimeError, match=r"must have two dimensions, but has \[1, "):
            self.public(*args)

    def test_flops(self, any_device):
        def count(function):
            with FlopCounterMode(display=False) as counter:
                function(*args)
            return counter.get_total_flops()

        args = self.make_args(device=any_device)
        a, b = self.factors
        product = count(lambda *args: args[a] @ args[b])
        assert count(self.public) == product > 0
        if self.backward:
            # One product for the call, one for the gradient of a factor, and the first one again in
            # the backward.
            args[b].requires_grad_()
            assert count(lambda *args: self.public(*args).sum().backward()) == 3 * product

    @each(position="lowered")
    def test_autocast_computes_in_its_dtype(self, position, device):
        dtype = torch.get_autocast_dtype(device)
        args = self.make_args(device=device)
        lowered = [x.to(dtype) if isinstance(x, torch.Tensor) else x for x in args]
        expected = self.public(*lowered)
        args[position] = lowered[position]
        with torch.autocast(device):
            out = self.public(*args)
        assert out.dtype == dtype
        torch.testing.assert_close(out, expected)

    @only_with("lowered")
    def test_autocast_leaves_double(self, device):
        args = self.make_args(dtype=torch.float64, device=device)
        with torch.autocast(device):
            out = self.public(*args)
        assert out.dtype == torch.float64
