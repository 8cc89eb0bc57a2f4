{% set count = item.positional | length %}
rows = torch.randn(1000, 1000, device=device{{ requires_grad }})
{% for _ in item.columns[:1] %}


def column():
    return torch.randn(1000, device=device{{ requires_grad }})


{% endfor %}
args = [{{ item.sample_list[:count] | join(', ') }}]
{% for _ in item.by_name[:1] %}
keywords = { {%- for name in item.by_name %}"{{ name }}": {{ item.sample_list[count + loop.index0] }}{{ '' if loop.last else ', ' }}{% endfor -%} }
{% endfor %}
