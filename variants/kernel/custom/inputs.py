# EDIT: arguments that the operator accepts, as in the tests.
{% from pathjoin('languages', 'py_shapes.jinja') import example, numel_line, sample %}
{% set of = item.sample_sizes %}
{% for name, value in of.items() %}
{{ name }} = {{ value }}
{% endfor %}
{% for tensor in item.shapes.tensors if not tensor.result %}
{{ tensor.name }} = {{ example(tensor, item) }}
{{ numel_line(item.shapes, tensor) -}}
{% endfor %}
args = [‹{% for arg in item.args if not arg.keyword %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of
  or arg.tensor else sample(arg, item.first_dtypes.get(arg.name, 'torch.float32'), item.shapes.aliases) }}{% endfor %}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for arg in item.args if arg.keyword %}{{ '' if loop.first
  else ', ' }}"{{ arg.name }}": {{ arg.name
  if arg.name in of or arg.tensor
  else sample(arg, item.first_dtypes.get(arg.name, 'torch.float32'), item.shapes.aliases) }}{% endfor %}›{{ '}' }}
{% endif %}
