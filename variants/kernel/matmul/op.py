{% extends pathjoin('variants', 'kernel', 'op.py') %}
{% set meaning = {
  'Tensor': 'Tensor with an element for each of the N columns, of the same dtype and device.',
  'Tensor?': 'Tensor with an element for each of the N columns, or None to leave it out.',
  'float': 'Number that the product is multiplied by.',
  'float?': 'Number that is added to the product, or None for 0.',
  'int': 'Integer that is added to the product.',
  'int?': 'Integer that is added to the product, or None for 0.',
  'bool': 'Adds 1 to the product if true.',
  'bool?': 'Adds 1 to the product if true.',
} %}
{% set written = item.written | map(attribute='name') | first | default('') %}
{% set factors = {written: 'Contiguous matrix [M, N] of the same dtype and device, which is written to.',
  item.a: 'Matrix [M, K], in float32, float64, float16 or bfloat16.',
  item.b: 'Matrix [K, N] of the same dtype and device.'} %}
{% block imports %}
from torch.utils.flop_counter import register_flop_formula
{% endblock %}
{% block constants %}
{% if full and not item.written %}

# Whether autocast lowers its dtype, as for PyTorch's products.
LOWERED = True
{% endif %}
{% endblock %}
{% block docstring %}
    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ factors[arg.name] | default(meaning[arg.type | replace('SymInt', 'int')]) }}
{% endfor %}

    Returns:
{% if written %}
        {{ '`%s`.' % written if item.returned
          else 'Nothing.' }} The products of 16-bit types are added up in float32, and rounded once.
{% else %}
        A new contiguous matrix [M, N] of the dtype and device of `{{ item.a }}`. The products of 16-bit
        types are added up in float32, and the result is rounded once.
{% endif %}

    Raises:
        RuntimeError: A tensor has an unsupported dtype, or a shape, dtype or device that does not
            fit. The message names the argument and its value.
{% if item.written %}
        RuntimeError: A written tensor is not contiguous or shares memory with another argument, or
            an argument requires a gradient.
{% endif %}
{% include pathjoin('variants', 'kernel', 'raises.py') %}
    """
{% endblock %}
{% block result %}{{ item.a }}.new_empty(shape){% endblock %}
{% block after %}


# ---- Floating-point operations, as torch.utils.flop_counter counts them for PyTorch's products


@register_flop_formula(‹{{ '[‹_namespace.%s, _namespace.%s_forward›]' % (item.name, item.name) if item.written
  else '_namespace.' ~ item.name }}›)
def _flops(‹{{ item.names[:item.names.index(item.b) + 1] | join(', ') }}, *others, **keywords›) -> int:
    # PyTorch passes the shapes of tensors.
    rows, depth = {{ item.a }}
    columns = {{ item.b }}[1]
    return 2 * rows * depth * columns
{% if item.passes | length > 1 %}


@register_flop_formula(_namespace.{{ item.name }}_backward)
def _backward_flops(grad, *args, **keywords) -> int:
    needs = args[-{{ item.needed | length }}:]
    # The product again, and one product for each factor whose gradient is needed.
    return (1 + needs[0] + needs[1]) * _flops(*args)
{% endif %}
{% endblock %}
