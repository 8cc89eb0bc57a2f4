def compare(out, expected):
    assert out.is_contiguous()
    # What is added up is as exact as the largest sum; dividing by a power of two is. The sum of a
    # long row may come out near zero, and has been far from it.
    least = max(1, expected.shape[-1] ** 0.5 / 2)
    scale = 2 ** expected.abs().amax().clamp(min=least).log2().floor() if expected.numel() else 1
    torch.testing.assert_close(out / scale, (expected / scale).to(out.dtype))


{% include pathjoin('variants', 'kernel', 'check_output.py') %}
