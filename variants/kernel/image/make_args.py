LAYOUTS = Image.layouts


# EDIT: return random arguments from the formula's domain. If two arguments are a lower and an upper
# bound, make sure that lower <= upper.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu"):
    """Return fresh random arguments of `{{ item.name }}`."""

    def make(shape):
        if dtype == torch.uint8:
            return torch.randint(256, shape, dtype=dtype, device=device)
        return torch.rand(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make, CHANNELS_IN)

    return [‹{{ item.samples | join(', ') }}›]
