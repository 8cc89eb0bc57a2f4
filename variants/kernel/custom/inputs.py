# EDIT: arguments that the operator accepts, as in the tests.
{% from pathjoin('languages', 'py_shapes.jinja') import made_arguments %}
{% for name, value in item.sample_sizes.items() %}
{{ name }} = {{ value }}
{% endfor %}
{{ made_arguments(item.shapes.tensors | rejectattr('result'), item.shapes, item.variables, 'example') -}}
args = [‹{{ item.names | reject('in', item.by_name) | map('extract', item.passed) | join(', ') }}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for name in item.by_name %}{{ ', ' if loop.index0 }}"{{ name }}": {{
  item.passed[name] }}{% endfor %}›{{ '}' }}
{% endif %}
