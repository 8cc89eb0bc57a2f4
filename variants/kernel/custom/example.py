{% from pathjoin('languages', 'py_shapes.jinja') import random, sample, shape_of, small %}
{% set of = small(item.shapes) | from_json %}
device = "cuda"
{% for name, value in of.items() %}
{{ name }} = {{ value }}
{% endfor %}
{% for tensor in item.shapes.tensors if not tensor.result and not tensor.optional %}
{{ tensor.name }} = {{ random(tensor.fixed, shape_of(tensor)) | replace(', dtype=dtype', '') }}
{% endfor %}
{{ project }}.{{ item.name }}({% for arg in item.args if not arg.default %}{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ arg.name if arg.name in of or arg.tensor else sample(arg) }}{% endfor %})
