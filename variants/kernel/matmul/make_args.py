# Memory layouts of a matrix.
MEMORY = {
    "transposed": lambda make, rows, columns: make((columns, rows)).t(),
    "sliced": lambda make, rows, columns: make((2 * rows, 2 * columns))[::2, ::2],
    "expanded": lambda make, rows, columns: make((1, columns)).expand(rows, columns),
    "misaligned": lambda make, rows, columns: make((rows * columns + 1,))[1:].view(rows, columns),
}

# Products of one tile, of several, and of parts of tiles; with few rows or columns and much depth;
# without elements; and with more rows than the blocks that add up gradients.
SIZES = {
    "tiles": (256, 64, 192),
    "odd": (131, 67, 93),
    "large": (600, 200, 400),
    "large_misaligned": (600, 200, 400),
    "many": (3001, 8, 40),
    "few_rows": (3, 4096, 72),
    "few_columns": (72, 4097, 3),
    "empty": (0, 5, 4),
    "no_columns": (6, 5, 0),
    "no_depth": (6, 0, 4),
    "beyond_32_bits": (2**16 + 1, 16, 2**15),
}
LAYOUTS = [*MEMORY, "contiguous", *SIZES]


# EDIT: return random arguments from the formula's domain. If two are bounds, the lower is first. If
# the formula has a kink, as ReLU has, draw whole numbers, whose sums are exact.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`."""
    rows, depth, columns = SIZES.get(layout, (6, 5, 4))
    memory = MEMORY.get(layout.removeprefix("large_"), lambda make, *shape: make(shape))

    def make(shape):
        # The elements of the product are then about 1.
        return torch.randn(shape, dtype=dtype, device=device) * max(depth, 1) ** -0.25

    def matrix(*shape):
        return memory(make, *shape).detach().requires_grad_(requires_grad)

{% if item.columns %}
    def column():
        return matrix(1, columns)[0].detach().requires_grad_(requires_grad)

{% endif %}
    a, b = matrix(rows, depth), matrix(depth, columns)
{% if item.written %}
    c = make((rows, columns))
{% endif %}
    return [‹{{ item.samples | join(', ') }}›]
