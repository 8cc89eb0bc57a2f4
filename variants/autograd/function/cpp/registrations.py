

def _autograd({{ item.parameters }}) -> {{ item.op_result }}:
    """Run the operator where a gradient is needed, as `torch.ops` does."""
    if in_transform():
        return {{ item.name }}_reference({{ item.pass_on }})
    return {{ item.class_name }}Function.apply({{ item.call }})


# Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
_registrations.impl("{{ item.name }}_autograd", _autograd, "Autograd")
