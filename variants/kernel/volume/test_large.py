    volume = torch.randint(256, (2**31 + 9,), dtype=torch.uint8, device="cuda")

    def tensor():
        return volume

{% for _ in item.bounds[:1] %}
    def bound(share):
        return 255 * share

{% endfor %}
    args = [{{ item.samples }}]
    out = {{ function }}(*args)
    for part in (slice(0, 1000), slice(-1000, None)):
        args[{{ item.names.index(item.first) }}] = volume[part]
        compare(out[part], {{ reference }}(*as_double(args)))
