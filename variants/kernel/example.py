{# A call with all arguments without a default, behind the lines of a kernel that make its tensors. #}
{% from pathjoin('variants', 'kernel', 'call.jinja') import example_of %}
{% include pathjoin('variants', 'kernel', item.kernel, 'example_tensors.py') %}
{{ project }}.{{ item.name }}(‹
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ example_of(arg, 'x' if item.kernel == 'elementwise' and not arg.write
  else arg.name) }}
{%- endfor -%}
›)
