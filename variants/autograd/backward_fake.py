_backward_op = _namespace.{{ item.name }}_backward.default


@torch.library.register_fake(_backward_op)
def _backward_fake({{ item.passes[1].py_parameters }}):
{% set pass = item.passes[1] %}
{% include pathjoin('variants', 'kernel', item.kernel, 'check.py') %}
{% for line in item.backward_fake %}
    {{ line }}
{% endfor %}
