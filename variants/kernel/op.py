{# What becomes ops/<op>.py. The files of a kernel that this file includes see its imports and its variables, and so
   does variants/autograd/. #}
{% from pathjoin('languages', 'names.jinja') import as_list, free_name, own %}
{% from pathjoin('languages', 'py.jinja') import arguments, check_lengths, checks, meaning_of_number, named,
  result_type, unpacked %}
{% set given_names = item.given_names %}
{% set first = item.first %}
{# The variable in a fake kernel, for the check.py of a kernel. #}
{% set check = own('check', given_names) %}
{# One more argument then changes no line beside a docstring, which the author of a custom operator has edited. #}
{% set given = '\n    %s,\n' % item.parameters | join(',\n    ') if item.kernel == 'custom'
  else '‹%s›' % item.parameters | join(', ') %}
{% set call = '‹%s›' % arguments(item.args) %}
"""`{{ item.name }}` in Python: the function, its reference{{ " and fake kernel"
  if item.autograd != "function" else ", fake kernel and gradient" }}."""

{{ 'from collections.abc import Sequence\n\n' if item.args | selectattr('list') | rejectattr('base_type', 'equalto',
  'Tensor') | list -}}
import torch
from torch import Tensor

{{ 'from .._kit import bindings as %s\n' % item.bindings if build == 'nvrtc' and item.kernel == 'custom' -}}
from .._kit import checks as _checks

_namespace = torch.ops.{{ project }}
_op = _namespace.{{ item.name }}.default
{% if full and (item.sharding or item.batched) %}

{% set combined = 'rows' if item.kernel == 'rowwise' else 'elements' %}
# EDIT: True if the formula combines {{ combined }}, as a sum over all {{ combined }} does. {{ 'torch.vmap then
# calls the operator once per sample, and DTensors are replicated first.' if item.batched else 'DTensors are then
# replicated first.' }}
REPLICATE = {{ item.sharding == 'whole' }}
{% endif %}
{% include pathjoin('variants', 'kernel', item.kernel, 'constants.py') ignore missing %}


# EDIT: the formula in the docstring.
def {{ item.name }}({{ given }}) -> {{ result_type(item.returned, item.absent, item.listed,
  as_numbers=item.as_numbers) }}:
{% include pathjoin('variants', 'kernel', item.kernel, 'docstring.py') %}
{% include pathjoin('variants', 'kernel', 'raises.py') %}
    """
{% for number in item.float_numbers %}
    {{ 'if not isinstance(%s, float):\n        ' % number.name if 'isinstance' not in given_names -}}
    _checks.check_number(‹"{{ item.name }}", {{ number.name }}={{ number.name }}›)
{% endfor %}
{% include pathjoin('variants', 'autograd', 'call.py') %}


# EDIT: {{ "the same as the kernel, in PyTorch's own operators" if item.kernel == 'custom'
  else 'keep this equal to the math in %s.h' % item.name }}.
def {{ item.name }}_reference({{ given }}) -> {{ result_type(item.passes[0].outputs
  | map(attribute='name') | list, item.absent, item.op_listed, item.lists) }}:
{% include [pathjoin('variants', 'kernel', item.kernel, 'reference.py'),
  pathjoin('variants', 'kernel', 'reference.py')] %}


@torch.library.register_fake(_op)
def _fake(‹{{ item.parameters | join(', ') ~ ((', ' if item.by_name else ', *, ')
  ~ item.sized | map('regex_replace', '$', ': int | torch.SymInt | None = None') | join(', ')
  if item.sized) }}›) -> {{ result_type(item.results, item.absent, item.op_listed) }}:
{% include [pathjoin('variants', 'kernel', item.kernel, 'fake.py'),
  pathjoin('variants', 'kernel', 'fake.py')] %}
{% include pathjoin('variants', 'autograd', 'op.py') %}
{% include pathjoin('variants', 'kernel', item.kernel, 'after.py') ignore missing %}
