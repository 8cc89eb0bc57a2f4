{% set samples = item.samples %}
rows = torch.randn(1000, 1000, device=device{{ requires_grad }})
{% if item.columns %}


def column():
    return torch.randn(1000, device=device{{ requires_grad }})


{% endif %}
{% include pathjoin('variants', 'kernel', 'arguments.py') %}
