    """Compute {{ item.summary }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ 'Tensor in ' ~ item.dtype_choice ~ ', whose last dimension has the channels.'
          if arg.name == first
          else meaning_of_number(arg, ', the same for all pixels', 'Counts as 1 if true, else as 0.') }}
{% endfor %}

    Returns:
        A new contiguous tensor with the dtype and device of `{{ first }}` and a pixel for each of its
        pixels. With one channel, it has no dimension for it. Results in uint8 are rounded to
        nearest even and clamped to [0, 255], those in float32 are neither.

    Raises:
        RuntimeError: `{{ first }}` has another dtype or number of channels, or requires a gradient. The
            message names the argument and its value.
