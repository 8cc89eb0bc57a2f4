{% from pathjoin('languages', 'py.jinja') import samples %}
def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`.

    EDIT: such as the formula takes; of two bounds, say, the first has to be the lower.
    """

    def make(shape):
        return torch.randn(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

{% if item.written %}
    def output():
        return LAYOUTS[layout](make).contiguous()

{% endif %}
    return [{{ samples(item.args) | from_json | join(', ') }}]
