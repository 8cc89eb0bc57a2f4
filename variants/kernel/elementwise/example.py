{% set example = {'Tensor': 'x', 'float': '0.5', 'int': '2', 'bool': 'True'} %}
x = torch.randn(1000, 1000, device="cuda")
{{ project }}.{{ item.name }}({% for arg in item.args %}{{ example[arg.type] }}{{ '' if loop.last else ', ' }}{% endfor %})
