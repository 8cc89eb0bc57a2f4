

# ---- Gradient, which is computed in csrc/{{ item.name }}/{{ item.name }}.cpp

{% include pathjoin('variants', 'autograd', 'backward_fake.py') %}
{% if item.maybe_unwritten %}


_unwritten_op = _namespace.{{ item.name }}_unwritten.default
torch.library.register_fake(_unwritten_op)(_fake)
{% endif %}
{% if not item.written %}


# What torch.func and forward mode differentiate. Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
_registrations.impl("{{ item.name }}_reference", {{ item.name }}_reference, "CompositeImplicitAutograd")
{% endif %}
