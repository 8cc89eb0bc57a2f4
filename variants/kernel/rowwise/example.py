{% set example = {'float': '0.5', 'int': '2', 'SymInt': '2', 'bool': 'True'} %}
x = torch.randn(1000, 4096, device="cuda")
{% for arg in item.columns if not arg.default and arg.name != 'x' %}
{{ arg.name }} = torch.randn(4096, device="cuda")
{% endfor %}
{{ project }}.{{ item.name }}(
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ 'x' if arg.name == item.first else arg.name if arg.tensor else example[arg.base_type] }}
{%- endfor -%}
)
