

# ---- Autograd

# The operator as it is where autograd is done with it.
_forward_op = _namespace.{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)
{% if item.maybe_unwritten %}

{% include pathjoin('variants', 'autograd', 'written', 'run.py') %}
{% endif %}
{% include pathjoin('variants', 'autograd', 'written', 'registrations.py') %}
