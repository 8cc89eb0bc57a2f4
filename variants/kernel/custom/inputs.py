{% from pathjoin('languages', 'py_shapes.jinja') import random, sample, shape_of, small, tuple %}
{% set of = small(item.shapes) | from_json %}
{% for name, value in of.items() %}
{{ name }} = {{ value }}
{% endfor %}
{% for tensor in item.shapes.tensors if not tensor.result %}
{{ tensor.name }} = {{ random(tensor.fixed, shape_of(tensor)) | replace(', dtype=dtype', '') }}
{% endfor %}
args = [{% for arg in item.args if not arg.keyword %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of or arg.tensor else sample(arg) }}{% endfor %}]
{% if item.by_name %}
keywords = {{ '{' }}{% for arg in item.args if arg.keyword %}{{ '' if loop.first else ', ' }}"{{ arg.name }}": {{ arg.name if arg.name in of or arg.tensor else sample(arg) }}{% endfor %}{{ '}' }}
{% endif %}
