def tensor():
    return torch.randn(1000, 1000, device=device{{ requires_grad }})


{% if item.written %}
def output():
    return torch.randn(1000, 1000, device=device)


{% endif %}
