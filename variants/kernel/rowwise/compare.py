def compare(out, expected):
    assert out.is_contiguous()
    # The error of a sum is that of the largest that it went through, and the sum of a long row may end
    # near zero. So all is divided by a power of two near it, which is exact.
    least = max(1, expected.shape[-1] ** 0.5 / 2)
    scale = 2 ** expected.abs().amax().clamp(min=least).log2().floor() if expected.numel() else 1
    torch.testing.assert_close(out / scale, (expected / scale).to(out.dtype))


{% include pathjoin('variants', 'kernel', 'check_output.py') %}
