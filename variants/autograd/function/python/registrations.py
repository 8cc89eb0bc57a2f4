

def _autograd({{ item.parameters }}) -> {{ item.op_result }}:
    """Run the operator, as `torch.ops` does."""
    if in_transform():
        return {{ item.name }}_reference({{ item.pass_on }})
{% include pathjoin('variants', 'autograd', 'function', 'dispatch.py') %}


# The operator that only the public function calls has nothing at the Autograd key; the fallthrough
# says so, and saves PyTorch's own warning kernel on each call. Registrations last as long as this
# object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
_registrations.impl("{{ item.name }}", _autograd, "Autograd")
_registrations.impl("{{ item.name }}_forward", torch.library.fallthrough_kernel, "Autograd")
