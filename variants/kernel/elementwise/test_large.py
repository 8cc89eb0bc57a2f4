    dtype, device = torch.float16, "cuda"

    def tensor():
        return torch.randn(2**31 + 9, dtype=dtype, device=device)

{% if item.written %}
    output = tensor
{% endif %}
    args = [{{ item.samples }}]
    parts = [slice(0, 1000), slice(-1000, None)]
    expected = []
    for part in parts:
        values = [x[part] if isinstance(x, torch.Tensor) else x for x in args]
        doubles = as_double(values)
        expected.append({{ reference }}(*doubles))
    {{ 'out = ' if item.returned }}{{ function }}(*args)
    for part, values in zip(parts, expected):
        {{ 'compare(%s[part], values)' % item.outputs_of[0] | replace('#', 'out') if single else 'compare([x[part] for x in outputs(args, %s)], values)' % ('out' if item.returned else 'None') }}
