{% from pathjoin('languages', 'py_shapes.jinja') import made_arguments %}
{% set of = item.sample_sizes %}
{% set given = item.args | rejectattr('default') | map(attribute='name') | list %}
{% set lines = made_arguments(item.shapes.tensors | selectattr('name', 'in', given), item.shapes, item.variables,
  'example') %}
{% set used = given + lines | regex_findall('\\w+') + item.shapes.aliases
  | selectattr('of', 'in', given) | map(attribute='name') | list %}
device = "cuda"
{% for name, value in of.items() if name in used %}
{{ name }} = {{ value }}
{% endfor %}
{{ lines -}}
{# A number that tensors have, as k of `Tensor x: [N * k], int k=2`, is passed. #}
{% set drawn = lines | regex_findall('\\w+') | select('in', of) | list %}
{{ project }}.{{ item.name }}(‹{% for arg in item.args if not arg.default or arg.name in drawn %}{{
  '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword or arg.default }}{{
  item.passed[arg.name] }}{% endfor %}›)
