{% from pathjoin('questions', 'dtypes.jinja') import listed %}
{% from pathjoin('variants', 'kernel', 'custom', 'described.jinja') import argument, returned %}
    """Compute {{ item.summary }}.

    Args:
{% for arg in item.args %}
        {{ argument(item, arg) | wordwrap(92, false, '\n' ~ ' ' * (10 + arg.name | length), false) }}
{% endfor %}

    Returns:
{{ '        A list:\n' if item.listed -}}
{% for name in item.returned %}
        {{ returned(item, name) | wordwrap(92, false, '\n' ~ ' ' * 8, false) }}
{% else %}
        Nothing.
{% endfor %}
{% if item.sized %}
        {{ ('The kernel counts %s. Reading %s waits for the GPU, as `torch.nonzero` does, so a CUDA graph cannot '
          'record the call. torch.compile does not break its graph with '
          '`torch._dynamo.config.capture_dynamic_output_shape_ops = True`.' % (listed(item.sized, 'and'),
          'them' if item.sized | length > 1 else 'it')) | wordwrap(92, false, '\n' ~ ' ' * 8, false) }}
{% endif %}
{% if item.as_numbers %}
        {{ ('The kernel writes the number%s, which `torch.ops.%s.%s` returns. Reading a number waits for the GPU, '
          'so a CUDA graph cannot record the call. torch.compile does not break its graph with '
          '`torch._dynamo.config.capture_scalar_outputs = True`.' % ('s to tensors' if item.as_numbers | length > 1
          else ' to a tensor', project, item.name)) | wordwrap(92, false, '\n' ~ ' ' * 8, false) }}
{% endif %}

    Raises:
        RuntimeError: A tensor has a shape or dtype that the signature does not accept, or is on
            another device. The message names the argument and its value.
{% if item.written %}
        RuntimeError: {{ 'A written argument is not contiguous or shares memory with another argument,
            or an argument requires a gradient.' if item.written | rejectattr('name', 'in', item.strided) | list
          else 'A written argument shares memory with another argument or with itself, or an
            argument requires a gradient.' }}
{% endif %}
