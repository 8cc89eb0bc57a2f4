def compare(out, expected):
    assert out.is_contiguous()
    # What is added up is as exact as the largest sum; dividing by a power of two is.
    scale = 2 ** expected.abs().amax().clamp(min=1).log2().floor() if expected.numel() else 1
    torch.testing.assert_close(out / scale, (expected / scale).to(out.dtype))


{% include pathjoin('variants', 'kernel', 'check_output.py') %}
