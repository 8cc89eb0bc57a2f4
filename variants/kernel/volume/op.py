{% extends pathjoin('variants', 'kernel', 'op.py') %}
{% set of_bounds = ['Lower bound, or None for the least voxel that is a number.',
  'Upper bound, or None for the greatest voxel that is a number.'] %}
{% block docstring %}
{% set meaning = meaning_of_numbers(', the same for all voxels', 'Counts as 1 if true, else as 0.') | from_json %}
    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ 'Tensor of any shape, in ' ~ item.dtype_choice ~ '.' if arg.name == first
          else of_bounds[item.bounds.index(arg.name)] if arg.name in item.bounds else meaning[arg.type] }}
{% endfor %}

    Returns:
        A new contiguous tensor in float32 with the shape and device of `{{ first }}`. It is computed
        in float32, for int32 in float64.

    Raises:
        RuntimeError: `{{ first }}` has another dtype, or requires a gradient. The message names the
            argument and its value.
{% include pathjoin('variants', 'kernel', 'raises.py') %}
    """
{% endblock %}
{% block result %}{{ first }}.new_empty(‹{{ first }}.shape, dtype=torch.float32›){% endblock %}
