{% set first = item.first %}
{% set meaning = {
  'float': 'Number, the same for all pixels.',
  'float?': 'Number, the same for all pixels, or None for 0.',
  'int': 'Integer, the same for all pixels.',
  'int?': 'Integer, the same for all pixels, or None for 0.',
  'bool': 'Counts as 1 if true, else as 0.',
  'bool?': 'Counts as 1 if true, else as 0.',
} %}
"""`{{ item.name }}` in Python: the function, its reference in plain PyTorch, its fake."""

import torch
from torch import Tensor

{% include pathjoin('variants', 'autograd', 'imports.py') %}
_namespace = torch.ops.{{ project }}
_op = _namespace.{{ item.name }}.default

# EDIT: the channels of a pixel, as in {{ item.name }}.h.
CHANNELS_IN = 3
CHANNELS_OUT = 1


# EDIT: what it computes, in the docstring.
def {{ item.name }}({{ item.parameters }}) -> Tensor:
    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ 'Tensor in ' ~ item.dtype_choice ~ ', whose last dimension has the channels.' if arg.name == first else meaning[arg.type | replace('SymInt', 'int')] }}
{% endfor %}

    Returns:
        A new contiguous tensor with the dtype and device of `{{ first }}` and a pixel for each of its
        pixels. With one channel, it has no dimension for it. Results in uint8 are rounded to
        nearest even and clamped to [0, 255], those in float32 are neither.

    Raises:
        RuntimeError: `{{ first }}` has another dtype or number of channels, or requires a gradient. The
            message names the argument and its value.
    """
{% include pathjoin('variants', 'kernel', 'call.py') %}


{% include pathjoin('variants', 'kernel', 'reference.py') %}
