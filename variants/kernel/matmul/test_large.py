    dtype, device = torch.float16, "cuda"
    a = torch.randn(2**16 + 1, 16, dtype=dtype, device=device)
    b = torch.randn(16, 2**15, dtype=dtype, device=device)

{% if item.columns %}
    def column():
        return torch.randn(2**15, dtype=dtype, device=device)

{% endif %}
    args = [{{ item.samples }}]
    out = {{ function }}(*args)
    for part in (slice(0, 10), slice(-10, None)):
        args[{{ item.names.index(item.a) }}] = a[part]
        compare(out[part], {{ reference }}(*as_double(args)))
