{% set samples = item.args | map(attribute='sample') | list %}
def tensor():
    return torch.rand(480, 640, 3, device=device)


{% include pathjoin('variants', 'kernel', 'arguments.py') %}
