# EDIT: arguments that the operator accepts, as in the tests.
{% from pathjoin('languages', 'py_shapes.jinja') import example, numel_line %}
{% for name, value in item.sample_sizes.items() %}
{{ name }} = {{ value }}
{% endfor %}
{% for tensor in item.shapes.tensors if not tensor.result %}
{{ tensor.name }} = {{ example(tensor, item) }}
{{ numel_line(item.shapes, tensor) -}}
{% endfor %}
args = [‹{{ item.names | reject('in', item.by_name) | map('extract', item.passed) | join(', ') }}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for name in item.by_name %}{{ ', ' if loop.index0 }}"{{ name }}": {{
  item.passed[name] }}{% endfor %}›{{ '}' }}
{% endif %}
