{% from pathjoin('languages', 'types.jinja') import each %}
{% set example = each('value') | from_json %}
x = torch.randn(1000, 1000, device="cuda")
{% for arg in item.written if arg.name != 'x' and not arg.default %}
{{ arg.name }} = torch.{{ 'randn' if arg in item.read_written else 'empty' }}_like(x)
{% endfor %}
{{ project }}.{{ item.name }}(‹
{%- for arg in item.args if not arg.default -%}
{% set value = arg.name if arg.write else '[' ~ ([example[arg.base_type]] * arg.count) | join(', ') ~ ']' if arg.list
  else example[arg.base_type] %}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ value }}
{%- endfor -%}
›)
