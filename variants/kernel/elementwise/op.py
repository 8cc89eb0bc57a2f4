{% set first = item.tensors[0] %}
{% set meaning = {
  'Tensor': 'Tensor with the shape, dtype and device of `' ~ first ~ '`.',
  'float': 'Number, the same for all elements.',
  'int': 'Integer, the same for all elements.',
  'bool': 'Counts as 1 if true, else as 0.',
} %}
"""`{{ item.name }}`: {{ item.summary }}, element by element."""

import torch
from torch import Tensor

_namespace = torch.ops.{{ project }}
_op = _namespace.{{ item.name }}.default


def {{ item.name }}({{ item.parameters }}) -> Tensor:
    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ 'Tensor of any shape, in float32, float64, float16 or bfloat16.' if arg.name == first else meaning[arg.type] }}
{% endfor %}

    Returns:
        A new contiguous tensor with the shape, dtype and device of `{{ first }}`.
        16-bit types are computed in float32 and rounded once.

    Raises:
        RuntimeError: A tensor has another dtype, or not the shape, dtype or device of
            `{{ first }}`. The message names the argument and its value.
    """
{% include pathjoin('variants', 'autograd', autograd, 'call.py') %}


def {{ item.name }}_reference({{ item.parameters }}) -> Tensor:
    """Compute the same with PyTorch's own operators, a kernel for each.

    EDIT: keep it equal to the math in {{ item.name }}.h; the tests compare the two.
    """
{% for line in item.reference %}
    {{ line }}
{% endfor %}


@torch.library.register_fake(_op)
def _fake({{ item.parameters }}) -> Tensor:
    return {{ first }}.new_empty({{ first }}.shape)
{% include pathjoin('variants', 'autograd', autograd, 'op.py') %}
