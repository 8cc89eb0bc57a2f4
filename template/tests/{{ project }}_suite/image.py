"""The tests of operators that compute each pixel by itself."""

import pytest
import torch

from .operators import WithoutGradient


class Image(WithoutGradient):
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
        # If a value is almost halfway between integers, the order of the sum decides.
        difference = out.int() - expected.int()
        assert difference.abs().max() <= 1 and (difference != 0).double().mean() < 0.01
