"""The tests of operators that compute each pixel by itself."""

import pytest
import torch

from .operators import WithoutGradient

# Every memory layout of an image that a kernel has to distinguish: whole blocks of pixels, a few
# pixels more than whole blocks, and memory that begins at any element.
IMAGE_LAYOUTS = {
    "contiguous": lambda make, channels: make((6, 5, channels)),
    "transposed": lambda make, channels: make((5, 6, channels)).transpose(0, 1),
    "planar": lambda make, channels: make((channels, 6, 5)).permute(1, 2, 0),
    "sliced": lambda make, channels: make((12, 10, 2 * channels))[::2, ::2, ::2],
    "expanded": lambda make, channels: make((1, 5, channels)).expand(6, 5, channels),
    "one_pixel": lambda make, channels: make((channels,)),
    "beyond_32_bits": lambda make, channels: make((2**15 + 1, 2**15, channels)),
    "batch": lambda make, channels: make((2, 3, 4, 5, channels)),
    "empty": lambda make, channels: make((0, 5, channels)),
    "whole_blocks": lambda make, channels: make((8192, channels)),
    "large": lambda make, channels: make((70_001, channels)),
    "misaligned": lambda make, channels: shifted(make, channels, 30, 1).view(6, 5, channels),
} | {
    f"large_shifted_{by}": lambda make, channels, by=by: shifted(make, channels, 10_007, by)
    for by in (1, 2, 3, 7, 12)
}


def shifted(make, channels, count, by):
    """Return pixels that begin `by` elements after an aligned address."""
    return make((by + count * channels,))[by:].view(count, channels)


class Image(WithoutGradient):
    layouts = IMAGE_LAYOUTS
    dtypes = torch.uint8, torch.float32

    def compare(self, out, expected):
        if out.dtype != torch.uint8:
            return super().compare(out, expected)
        # In double, the reference is not rounded, so halves may be rounded either way here.
        assert out.is_contiguous(), f"The strides are {out.stride()}."
        assert out.shape == expected.shape, f"The shape is {out.shape}, not {expected.shape}."
        torch.testing.assert_close(out.double(), expected.clamp(0, 255), rtol=0, atol=0.501)

    def test_refuses_other_channels(self, any_device):
        channels = self.module.CHANNELS_IN
        args = self.make_args(device=any_device)
        name = self.arguments[self.first].name
        for shape in (), (4, channels + 1):
            args[self.first] = torch.ones(shape, device=any_device)
            with pytest.raises(RuntimeError, match=f"{name} must have {channels} channels"):
                self.public(*args)

    def test_rounds_as_the_reference(self, device):
        args = self.make_args("large", torch.uint8, device)
        expected, out = self.reference(*args), self.public(*args)
        assert out.dtype == expected.dtype == torch.uint8
        # If a value is almost halfway between integers, the order of additions decides its
        # rounding.
        difference = out.int() - expected.int()
        assert difference.abs().max() <= 1 and (difference != 0).double().mean() < 0.01
