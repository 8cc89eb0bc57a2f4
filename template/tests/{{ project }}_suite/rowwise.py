"""The tests of operators that reduce the last dimension."""

import pytest
import torch

from .common import scale_of_sums
from .facts import BEYOND_32_BITS, LAYOUTS
from .operators import WithColumns

# Rows for part of a warp, for a warp, for a block and for several tiles of a block, and rows of odd
# lengths. "many" has more rows than the 132 to 528 blocks that an H200 runs at the same time.
ROW_LAYOUTS = {name: make for name, make in LAYOUTS.items() if name != "zero_dimensional"} | {
    "narrow": lambda make: make((70, 1)),
    "odd": lambda make: make((9, 1001)),
    "many": lambda make: make((3001, 1024)),
    "wide": lambda make: make((3, 40_000)),
    "many_wide": lambda make: make((200, 20_000)),
    "no_columns": lambda make: make((5, 0)),
    BEYOND_32_BITS: lambda make: make((2**16 + 1, 2**15)),
}


class Rowwise(WithColumns):
    layouts = ROW_LAYOUTS

    def compare(self, out, expected):
        assert out.is_contiguous(), f"The strides are {out.stride()}."
        scale = scale_of_sums(expected)
        self.assert_close(out / scale, expected / scale)

    def test_refuses_a_tensor_without_rows(self, any_device):
        args = self.make_args(device=any_device)
        args[self.first] = torch.tensor(1.0, device=any_device)
        name = self.arguments[self.first].name
        with pytest.raises(RuntimeError, match=f"{name} must have at least one dimension"):
            self.public(*args)

    def test_rows_far_from_zero(self, device):
        """A variance fails here if it is the mean of the squares minus the square of the mean."""
        args = self.make_args("odd", torch.float64, device)
        args[self.first] += 1e5
        self.check(self.public, args)
