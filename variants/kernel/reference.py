def {{ item.name }}_reference({{ item.parameters }}) -> {{ 'Tensor' if item.passes[0].outputs | length == 1 else 'tuple[%s]' % (['Tensor'] * item.passes[0].outputs | length) | join(', ') }}:
    """Compute the same with PyTorch's own operators, a kernel for each.
{% if item.written %}

    It writes nothing: it returns what `{{ item.name }}` writes, in the order of its arguments, then what that
    returns.
{% endif %}

    EDIT: keep it equal to the math in {{ item.name }}.h; the tests compare the two.
    """
{% for line in item.reference %}
    {{ line }}
{% endfor %}


@torch.library.register_fake(_op)
def _fake({{ item.parameters }}) -> {{ item.op_result }}:
{% set pass = item.passes[0] %}
{% include pathjoin('variants', 'kernel', item.kernel, 'check.py') %}
{% for line in [item.dtype_line] if line %}
    {{ line }}
{% endfor %}
{% if item.dtype %}
    check("{{ item.name }}", {{ item.dtype }}={{ item.first }}.new_empty((), dtype={{ item.dtype }}))
{% endif %}
{% if item.results %}
    return {{ item.fakes }}
{% endif %}
{% include pathjoin('variants', 'autograd', item.python_tail, 'op.py') %}
