{% if item.columns %}


def column():
    return torch.randn(1000, device=device{{ requires_grad }})


{% endif %}
