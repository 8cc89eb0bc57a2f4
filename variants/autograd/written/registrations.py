{% set items = item.not_differentiable | map(attribute='item') | join(', ') %}
{% set optional = item.not_differentiable | selectattr('optional') | list %}
{% set why = 'is written to, so it can\'t require a gradient' if item.autograd == 'function' else 'requires a gradient, and what is written has none' %}


def _autograd({{ item.parameters }}) -> {{ item.op_result }}:
    """Run the operator after telling autograd what it writes to."""
    if in_transform():
        raise RuntimeError(
            "{{ item.name }}: torch.func and forward mode can't follow what it writes to; call "
            "`{{ item.name }}_reference` there"
        )
    if torch.is_grad_enabled():
        tensors = { {{- items -}} }
        for name, tensor in tensors.items():
            if {{ 'tensor is not None and ' if optional }}tensor.requires_grad:
                raise RuntimeError(
                    f"{{ item.name }}: {name} {{ why }}; "
                    "detach it, or call this under torch.no_grad()"
                )
{% for x in item.written %}
    {{ ('if %s is not None:\n        ' % x.name) if x.optional }}torch.autograd.graph.increment_version({{ x.name }})
{% endfor %}
{% include pathjoin('variants', 'autograd', item.python_tail, 'dispatch.py') %}


# The operator behind it has nothing at the Autograd key, and the fallthrough says so. Registrations
# last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
_registrations.impl("{{ item.name }}", _autograd, "Autograd")
_registrations.impl("{{ item.name }}_forward", torch.library.fallthrough_kernel, "Autograd")
