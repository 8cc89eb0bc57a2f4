{% set written = item.written | map(attribute='name') | first | default('') %}
{% set factors = {written: 'Contiguous matrix [M, N] of the dtype and device of `%s`, which is written to.' % item.a,
  item.a: 'Matrix [M, K], in float32, float64, float16 or bfloat16.',
  item.b: 'Matrix [K, N] of the same dtype and device.'} %}
{% set meaning = {
  'Tensor': 'Tensor with an element for each of the N columns, of the same dtype and device.',
  'Tensor?': 'Tensor with an element for each of the N columns, or None to leave it out.',
  'float': 'Number that the product is multiplied by.',
} %}
    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ factors.get(arg.name) or meaning.get(arg.type)
          or meaning_of_number(arg, ' that is added to the product', 'Adds 1 to the product if true.') }}
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
