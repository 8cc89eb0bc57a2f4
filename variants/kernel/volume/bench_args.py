    def tensor():
        return torch.randint(0, 256, (numel,), device=device).to(dtype)

{% if item.bounds %}
    def bound(share):
        return 255 * share

{% endif %}
