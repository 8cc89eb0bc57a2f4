def compare(out, expected):
{% if item.maybe_written %}
    if out is None:
        return
{% endif %}
    assert {{ item.strides }}
    torch.testing.assert_close(out, expected.to(out.dtype))


{% include pathjoin('variants', 'kernel', 'check_output.py') %}
