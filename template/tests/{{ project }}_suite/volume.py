"""The tests of operators that map voxels to float32, between bounds."""

import pytest
import torch

from .common import as_double, each, only_with
from .facts import LAYOUTS
from .operators import WithoutGradient

# Also whole blocks, and more voxels of 4 bytes than range_kernel reads in one iteration.
VOLUME_LAYOUTS = LAYOUTS | {
    "whole_blocks": lambda make: make((8192,)),
    "larger": lambda make: make((5_000_011,)),
}


class Volume(WithoutGradient):
    layouts = VOLUME_LAYOUTS
    dtypes = torch.uint8, torch.int16, torch.uint16, torch.int32, torch.float32
    other_dtype = torch.float64, "Double"

    @property
    def bounds(self):
        """The positions of both bounds, if it has two."""
        found = [i for i, x in enumerate(self.arguments) if str(x.type) == "Optional[float]"]
        return found[:2] if len(found) > 1 else []

    @only_with("bounds")
    @each(dtype="dtypes")
    @pytest.mark.parametrize("layout", ["large", "large_misaligned", "larger", "zero_dimensional"])
    def test_bounds_of_the_volume(self, layout, dtype, device):
        args = self.make_args(layout, dtype, device)
        voxels = args[self.first].to(torch.float64)
        low, high = self.bounds
        args[low], args[high] = voxels.min().item(), voxels.max().item()
        expected = self.public(*args)
        args[low] = args[high] = None
        torch.testing.assert_close(self.public(*args), expected, rtol=0, atol=0)

    @only_with("bounds")
    @each(dtype="dtypes")
    def test_equal_bounds(self, dtype, device):
        args = self.make_args("large", dtype, device)
        low, high = self.bounds
        args[low] = args[high] = args[self.first][0].item()
        self.check(self.public, args)

    @only_with("bounds")
    @pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf], ids=str)
    def test_what_is_no_finite_number(self, number, device):
        args = self.make_args("large", device=device)
        args[self.first][[0, 31, 4000, -1]] = number
        low, high = self.bounds
        for bounds in ([args[low], args[high]], [None, None]):
            args[low], args[high] = bounds
            expected = self.reference(*as_double(args))
            torch.testing.assert_close(self.public(*args), expected, equal_nan=True)
