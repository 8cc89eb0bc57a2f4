{% set samples = item.args | map(attribute='sample') | map('regex_replace', '^dtype$', 'torch.float32') | list %}
{% set count = item.positional | length %}
def tensor():
    return torch.randn(1000, 1000, device=device{{ requires_grad }})


{% for _ in item.written[:1] %}
def output():
    return torch.randn(1000, 1000, device=device)


{% endfor %}
args = [{{ samples[:count] | join(', ') }}]
{% for _ in item.by_name[:1] %}
keywords = { {%- for name in item.by_name %}"{{ name }}": {{ samples[count + loop.index0] }}{{ '' if loop.last else ', ' }}{% endfor -%} }
{% endfor %}
