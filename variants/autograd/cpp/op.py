

# ---- Gradient, which is computed in csrc/{{ item.name }}/{{ item.name }}.cpp

{% include pathjoin('variants', 'autograd', 'backward_fake.py') %}
{% if item.maybe_unwritten %}


_unwritten_op = _namespace.{{ item.name }}_unwritten.default
torch.library.register_fake(_unwritten_op)(_fake)
{% endif %}
