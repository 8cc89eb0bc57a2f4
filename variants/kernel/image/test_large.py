    shape = (2**15 + 1, 2**15, CHANNELS_IN)
    image = torch.randint(256, shape, dtype=torch.uint8, device="cuda")

    def tensor():
        return image

    args = [{{ item.samples }}]
    out = {{ function }}(*args)
    for part in (slice(0, 10), slice(-10, None)):
        args[{{ item.names.index(item.first) }}] = image[part]
        compare(out[part], {{ reference }}(*as_double(args)))
