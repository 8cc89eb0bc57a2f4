# EDIT: return random arguments from the formula's domain. If two arguments are a lower and an upper
# bound, make sure that lower <= upper.
def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`."""

    def make(shape):
        return torch.randn(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

{% if item.written %}
    def output():
        return LAYOUTS[layout](make).contiguous()

{% endif %}
    return [‹{{ item.samples | join(', ') }}›]
