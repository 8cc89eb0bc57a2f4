{% from pathjoin('variants', 'macros.jinja') import py %}
"""`{{ item.name }}`: {{ item.summary }}, element by element."""

import torch
from torch import Tensor

_namespace = torch.ops.{{ project }}
_op = _namespace.{{ item.name }}.default


{{ py('def ' ~ item.name ~ '(', [['@', item.py_args]], ') -> Tensor:') }}
    """Compute {{ item.summary }} in one pass over memory, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ arg.meaning }}
{% endfor %}

    Returns:
        A new contiguous tensor with the shape, dtype and device of `{{ item.tensors[0] }}`.
        16-bit types are computed in float32 and rounded once.

    Raises:
        RuntimeError: A tensor has another dtype, or not the shape, dtype or device of
            `{{ item.tensors[0] }}`. The message names the argument and its value.
    """
{% include pathjoin('variants', 'autograd', autograd, 'call.py') %}


{{ py('def ' ~ item.name ~ '_reference(', [['@', item.py_args]], ') -> Tensor:') }}
    """Compute the same with PyTorch's own operators, a kernel for each.

    EDIT: keep it equal to the math in {{ item.name }}.h; the tests compare the two.
    """
{% for line in item.reference %}
    {{ line }}
{% endfor %}


@torch.library.register_fake(_op)
{{ py('def _fake(', [['@', item.py_args]], ') -> Tensor:') }}
    return {{ item.tensors[0] }}.new_empty({{ item.tensors[0] }}.shape)
{% include pathjoin('variants', 'autograd', autograd, 'op.py') %}
