LAYOUTS = Volume.layouts


# EDIT: return random arguments from the formula's domain. If two arguments are a lower and an upper
# bound, make sure that lower <= upper.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu"):
    """Return fresh random arguments of `{{ item.name }}`."""
    floating = dtype.is_floating_point
    low, high = (-2, 2) if floating else (torch.iinfo(dtype).min, torch.iinfo(dtype).max)

    def make(shape):
        if floating:
            return torch.randn(shape, dtype=dtype, device=device)
        if dtype == torch.uint8:
            return torch.randint(256, shape, dtype=dtype, device=device)
        return torch.randint(low, high + 1, shape, device=device).to(dtype)

    def tensor():
        return LAYOUTS[layout](make)

    return [‹{{ item.samples | join(', ') }}›]
