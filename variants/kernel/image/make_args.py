{% from pathjoin('languages', 'py.jinja') import samples %}
# Every memory layout of an image that a kernel has to distinguish: whole blocks of pixels, some
# pixels more, and memory that begins at any element.
LAYOUTS = {
    "contiguous": lambda make: make((6, 5, CHANNELS_IN)),
    "transposed": lambda make: make((5, 6, CHANNELS_IN)).transpose(0, 1),
    "planar": lambda make: make((CHANNELS_IN, 6, 5)).permute(1, 2, 0),
    "sliced": lambda make: make((12, 10, 2 * CHANNELS_IN))[::2, ::2, ::2],
    "expanded": lambda make: make((1, 5, CHANNELS_IN)).expand(6, 5, CHANNELS_IN),
    "one_pixel": lambda make: make((CHANNELS_IN,)),
    "beyond_32_bits": lambda make: make((2**15 + 1, 2**15, CHANNELS_IN)),
    "batch": lambda make: make((2, 3, 4, 5, CHANNELS_IN)),
    "empty": lambda make: make((0, 5, CHANNELS_IN)),
    "whole_blocks": lambda make: make((8192, CHANNELS_IN)),
    "large": lambda make: make((70_001, CHANNELS_IN)),
    "misaligned": lambda make: shifted(make, 30, 1).view(6, 5, CHANNELS_IN),
} | {
    f"large_shifted_{by}": lambda make, by=by: shifted(make, 10_007, by) for by in (1, 2, 3, 7, 12)
}


def shifted(make, count, by):
    """Return pixels that begin some elements after aligned memory."""
    return make((by + count * CHANNELS_IN,))[by:].view(count, CHANNELS_IN)


# EDIT: return random arguments from the formula's domain. If two are bounds, the lower is first.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu"):
    """Return fresh random arguments of `{{ item.name }}`."""

    def make(shape):
        if dtype == torch.uint8:
            return torch.randint(256, shape, dtype=dtype, device=device)
        return torch.rand(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make)

    return [‹{{ samples(item.args) | from_json | join(', ') }}›]
