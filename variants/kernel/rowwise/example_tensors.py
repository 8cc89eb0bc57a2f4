{{ item.first }} = torch.randn(1000, 4096, device="cuda")
{% for arg in item.columns if not arg.default %}
{{ arg.name }} = torch.randn(4096, device="cuda")
{% endfor %}
