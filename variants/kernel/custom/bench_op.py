{% from pathjoin('languages', 'py_shapes.jinja') import random, sample, shape_of, small %}
{% set of = small(item.shapes) | from_json %}
{% set op = project ~ '.' ~ item.name %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference


# EDIT: arguments whose first tensor has about numel elements.
def make_args(numel, dtype, device, requires_grad):
{% for name, value in of.items() %}
    {{ name }} = {{ value }}
{% endfor %}
{% for tensor in item.shapes.tensors if not tensor.result %}
    {{ tensor.name }} = {{ random(tensor.fixed, shape_of(tensor)) }}
{% endfor %}
    return [{% for arg in item.args %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of or arg.tensor
      else sample(arg) }}{% endfor %}]


# EDIT: the bytes that it has to move.
NBYTES_OF = {"forward": lambda args: sum(x.nbytes for x in args if isinstance(x, torch.Tensor))}


if __name__ == "__main__":
    main({{ op }}, {{ item.name }}_reference, make_args, NBYTES_OF)
