    size = min(numel, 4096)

    def make(*shape):
        return torch.randn(shape, dtype=dtype, device=device, requires_grad=requires_grad)

    rows = make(numel // size, size)
