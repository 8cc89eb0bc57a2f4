x = torch.randn(1000, 1000, device="cuda")
{% for arg in item.written if arg.name != 'x' and not arg.default %}
{{ arg.name }} = torch.{{ 'randn' if arg in item.read_written else 'empty' }}_like(x)
{% endfor %}
