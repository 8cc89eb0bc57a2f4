{% set samples = item.samples %}
a = torch.randn(1000, 500, device=device{{ requires_grad }})
b = torch.randn(500, 1000, device=device{{ requires_grad }})
{% if item.columns %}


def column():
    return torch.randn(1000, device=device{{ requires_grad }})


{% endif %}
{% include pathjoin('variants', 'kernel', 'arguments.py') %}
