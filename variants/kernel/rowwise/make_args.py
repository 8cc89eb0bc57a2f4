# Rows of a few elements, of a warp, of a block, of several tiles of a block; of odd lengths; and
# more rows than there are blocks at once, 132 to 528 on an H200.
LAYOUTS = {name: make for name, make in LAYOUTS.items() if name != "zero_dimensional"} | {
    "narrow": lambda make: make((70, 1)),
    "odd": lambda make: make((9, 1001)),
    "many": lambda make: make((3001, 1024)),
    "wide": lambda make: make((3, 40_000)),
    "many_wide": lambda make: make((200, 20_000)),
    "no_columns": lambda make: make((5, 0)),
{% if full %}
    "beyond_32_bits": lambda make: make((2**16 + 1, 2**15)),
{% endif %}
}


def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`.

    EDIT: such as the formula takes; of two bounds, say, the first has to be the lower.
    """

    def make(shape):
        x = torch.randn(shape, dtype=dtype, device=device)
        # Not near zero, where the root of a narrow row is steep; PyTorch 2.11 draws bfloat16 zeros.
        return torch.where(x < 0, x - 1, x + 1)

    rows = LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

{% if item.columns %}
    def column():
        return make(rows.shape[-1:]).requires_grad_(requires_grad)

{% endif %}
    return [{{ item.samples | join(', ') }}]
