LAYOUTS = Rowwise.layouts


# EDIT: return random arguments from the formula's domain. If two arguments are a lower and an upper
# bound, make sure that lower <= upper.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`."""

    def make(shape):
        x = torch.randn(shape, dtype=dtype, device=device)
        # Not near zero, where the root of a narrow row is steep. PyTorch 2.11 draws bfloat16 zeros.
        return torch.where(x < 0, x - 1, x + 1)

    rows = LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

{% if item.columns %}
    def column():
        return make(rows.shape[-1:]).requires_grad_(requires_grad)

{% endif %}
    return [‹{{ item.samples | join(', ') }}›]
