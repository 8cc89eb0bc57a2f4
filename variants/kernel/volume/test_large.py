    volume = torch.randint(256, (2**31 + 9,), dtype=torch.uint8, device="cuda")

    def tensor():
        return volume

{% if item.bounds %}
    def bound(share):
        return 255 * share

{% endif %}
    args = [{{ item.samples }}]
    out = {{ function }}(*args)
    for part in (slice(0, 1000), slice(-1000, None)):
        args[{{ item.names.index(item.first) }}] = volume[part]
        compare(out[part], {{ reference }}(*as_double(args)))
