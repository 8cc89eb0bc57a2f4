_backward_op = _namespace.{{ item.name }}_backward.default


@torch.library.register_fake(_backward_op)
def _backward_fake({{ item.passes[1].py_parameters }}):
{% for line in item.backward_fake %}
    {{ line }}
{% endfor %}
