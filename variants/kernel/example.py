{# The call with the arguments that the example.py of a kernel makes. #}
{% from pathjoin('languages', 'types.jinja') import each %}
{% set example = each('value') | from_json %}
{{ project }}.{{ item.name }}(‹
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ arg.name if arg.tensor
  else example[arg.base_type] }}
{%- endfor -%}
›)
