def check(function, args):
    """Compare what a function {{ 'returns' if item.results else 'writes' }} with the reference."""
    expected = {{ reference }}(*as_double(args))
    {{ 'out = ' if '#' in item.outputs_of[0] }}function(*args)
    compare({{ item.outputs_of[0] | replace('#', 'out') }}, expected)
