{% for arg in item.written %}
{{ arg.name }} = torch.empty(1000, 1000, device="cuda")
{% endfor %}
{{ item.a }} = torch.randn(1000, 4096, device="cuda")
{{ item.b }} = torch.randn(4096, 1000, device="cuda")
{% for arg in item.columns if not arg.default %}
{{ arg.name }} = torch.randn(1000, device="cuda")
{% endfor %}
