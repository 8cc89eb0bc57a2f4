    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

{% if item.written %}
    def output():
        return torch.randn(numel, dtype=dtype, device=device)

{% endif %}
