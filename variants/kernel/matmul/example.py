{% set example = {'float': '0.5', 'int': '2', 'SymInt': '2', 'bool': 'True'} %}
{{ item.a }} = torch.randn(1000, 4096, device="cuda")
{{ item.b }} = torch.randn(4096, 1000, device="cuda")
{% for arg in item.columns if not arg.default %}
{{ arg.name }} = torch.randn(1000, device="cuda")
{% endfor %}
{{ project }}.{{ item.name }}(
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ arg.name if arg.tensor else example[arg.base_type] }}
{%- endfor -%}
)
