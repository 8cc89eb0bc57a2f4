{% set example = {'float': '0.5', 'int': '2', 'SymInt': '2', 'bool': 'True'} %}
{{ project }}.{{ item.name }}(
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ arg.name if arg.tensor else example[arg.base_type] }}
{%- endfor -%}
)
