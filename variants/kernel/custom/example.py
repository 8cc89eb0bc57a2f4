{% from pathjoin('languages', 'py_shapes.jinja') import example as value_of, numel_line, zero_lines %}
{% set of = item.sample_sizes %}
{% set given = item.args | rejectattr('default') | map(attribute='name') | list %}
{% set now = namespace(tensors=[]) %}
{% for tensor in item.shapes.tensors if tensor.name in given %}
{% set now.tensors = now.tensors + [tensor.name ~ ' = ' ~ value_of(tensor, item)
  ~ ('\n' ~ numel_line(item.shapes, tensor)).rstrip()] %}
{% endfor %}
{% set used = given + now.tensors | join(' ') | regex_findall('\\w+') + item.shapes.aliases
  | selectattr('of', 'in', given) | map(attribute='name') | list %}
device = "cuda"
{% for name, value in of.items() if name in used %}
{{ name }} = {{ value }}
{% endfor %}
{{ zero_lines(item.shapes) -}}
{{ now.tensors | join('\n') }}
{# A number that tensors have, as k of `Tensor x: [N * k], int k=2`, is passed. #}
{% set drawn = now.tensors | join(' ') | regex_findall('\\w+') | select('in', of) | list %}
{{ project }}.{{ item.name }}(‹{% for arg in item.args if not arg.default or arg.name in drawn %}{{
  '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword or arg.default }}{{
  item.passed[arg.name] }}{% endfor %}›)
