def outputs(args, result):
    """Return what was written, then what was returned: as the reference returns it."""
    return [{{ item.outputs_of | join(', ') | replace('#', 'result') }}]


def compare(outputs, expected):
    for out, value in zip(outputs, expected):
{% if item.maybe_written %}
        if out is None:
            continue
{% endif %}
        assert {{ item.strides | replace('expected', 'value') }}
        torch.testing.assert_close(out, value.to(out.dtype))


def check(function, args):
    """Compare what a function {{ ['returns', 'writes', 'writes and returns'][(2 if item.results else 1) if item.written else 0] }} with the reference."""
    expected = {{ reference }}(*as_double(args))
    compare(outputs(args, function(*args)), expected)
