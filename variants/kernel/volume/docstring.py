    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ 'Tensor of any shape, in ' ~ item.dtype_choice ~ '.' if arg.name == first
          else '%s bound, or None for the %s voxel that is a number.' % (('Lower', 'least')
          if arg.name == item.bounds[0] else ('Upper', 'greatest')) if arg.name in item.bounds
          else meaning_of_number(arg, ', the same for all voxels', 'Counts as 1 if true, else as 0.') }}
{% endfor %}

    Returns:
        A new contiguous tensor in float32 with the shape and device of `{{ first }}`. It is computed
        in float32, for int32 in float64.

    Raises:
        RuntimeError: `{{ first }}` has another dtype, or requires a gradient. The message names the
            argument and its value.
