# EDIT: return random arguments from the formula's domain. If two arguments are a lower and an upper
# bound, make sure that lower <= upper. If the formula has a kink, as ReLU has, draw whole numbers,
# whose sums are exact.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`."""
    rows, depth, columns, memory = Matmul.of_layout(layout)

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
{{ '    c = make((rows, columns))\n' if item.written }}    return [‹{{ item.samples | join(', ') }}›]
