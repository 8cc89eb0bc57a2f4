{# The call with the arguments that the example.py of a kernel makes. #}
{% from pathjoin('variants', 'kernel', 'call.jinja') import example_of %}
{{ project }}.{{ item.name }}(‹
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ example_of(arg, 'x' if item.kernel == 'elementwise' and not arg.write
  else arg.name) }}
{%- endfor -%}
›)
