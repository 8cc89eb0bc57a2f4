    size = min(numel, 4096)
    rows = torch.randn(numel // size, size, dtype=dtype, device=device, requires_grad=requires_grad)

{% if item.columns %}
    def column():
        return torch.randn(size, dtype=dtype, device=device, requires_grad=requires_grad)

{% endif %}
