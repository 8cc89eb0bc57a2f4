{% set meaning = {
  'Tensor': 'Tensor with the shape of a row of `' ~ first ~ '`, its dtype and device.',
  'Tensor?': 'The same, or None to leave it out.' if item.columns and not item.columns[0].optional
    else 'Tensor with the shape of a row of `' ~ first ~ '`, or None to leave it out.',
} %}
    """Compute {{ item.summary }}, on CPU or GPU.

    The mean is over the last dimension{{ ', whose elements are columns' if item.columns }}, as in RMSNorm,
    https://arxiv.org/abs/1910.07467.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ 'Tensor of at least one dimension, in float32, float64, float16 or bfloat16.'
          if arg.name == first else meaning[arg.type] if arg.tensor
          else meaning_of_number(arg, ' that is added to the mean square of each row',
            'Adds 1 to the mean square of each row if true.') }}
{% endfor %}

    Returns:
        A new contiguous tensor with the shape, dtype and device of `{{ first }}`.
        16-bit types are computed in float32 and rounded once.

    Raises:
        RuntimeError: A tensor has an unsupported dtype, or a shape, dtype or device that does not
            fit. The message names the argument and its value.
