{% extends pathjoin('variants', 'kernel', 'op.py') %}
{% from pathjoin('languages', 'py_shapes.jinja') import checks, new_results, results with context %}
{% set meaning = {'int': 'Integer.', 'SymInt': 'Integer.', 'float': 'Number.', 'bool': 'Whether it is so.'} %}
{% set outs = item.results | join(', ') %}
{% block constants %}
{% if not item.fixed %}

# EDIT: the dtypes of `{{ item.typed }}`, as in csrc/{{ item.name }}/{{ item.name }}_args.h.
DTYPES = [torch.float32, torch.float64]
{% endif %}
{% endblock %}
{% block docstring %}
    """Compute {{ item.summary }}.

    Args:
{% for arg in item.args %}
{% set tensor = item.shapes.tensors | selectattr('name', 'equalto', arg.name) | first | default(none) %}
        {{ arg.name }}: {{ 'Tensor' ~ (' ' ~ tensor.annotation if tensor.annotated else '') ~ ('' if tensor.fixed
          else ' of ' ~ item.dtype_choice) ~ (', or None' if tensor.optional) ~ '.' if tensor
          else meaning[arg.base_type] | default('Not in the formula yet.') }}
{% endfor %}

    Returns:
{% for tensor in item.shapes.tensors if tensor.result %}
        {{ '`%s`, a new' % tensor.name if item.results | length > 1 else 'A new' }} tensor {{ tensor.annotation }}.
{% endfor %}

    Raises:
        RuntimeError: A tensor has another shape, dtype or device. The message names the argument
            and its value.
{% include pathjoin('variants', 'kernel', 'raises.py') %}
    """
{% endblock %}
{% block reference %}
    """EDIT: compute the same with PyTorch's own operators; the tests compare the two."""
    {{ new_results(item.shapes) | trim | indent(4) }}
{% for tensor in item.shapes.tensors if tensor.result %}
    {{ item.start }} = torch.nn.functional.pad({{ item.typed }}.flatten(){{ '.float()' if
      item.fixed.startswith('float8') }}, (0, {{ tensor.name }}.numel() - {{ item.typed }}.numel()))
{% if item.results | length == 1 %}
    return {{ item.start }}.view({{ tensor.name }}.shape).to({{ tensor.name }}.dtype)
{% else %}
    {{ tensor.name }} = {{ item.start }}.view({{ tensor.name }}.shape).to({{ tensor.name }}.dtype)
{% endif %}
{% endfor %}
{% if item.results | length > 1 %}
    return {{ outs }}
{% endif %}
{% endblock %}
{% block fake %}
    {{ checks(item.name, item.shapes, 'DTYPES') | trim | indent(4) }}
    {{ results(item.shapes) | trim | indent(4) }}
{% endblock %}
