{% set tensors = item.tensors | join(', ') %}
{% set gradients = item.passes[1].outputs | join(', ') %}
{# To unpack a tuple. #}
{% set pattern = '%s' if item.tensors | length > 1 else '(%s,)' %}


# ---- Gradient

# The operator without its gradient.
_forward_op = _namespace.{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)

{% include pathjoin('variants', 'autograd', 'backward_fake.py') %}


class {{ item.class_name }}Function(torch.autograd.Function):
    """EDIT: what the gradient needs, and how it is computed."""

    @staticmethod
    def forward(ctx, {{ item.parameters }}) -> Tensor:
        ctx.save_for_backward({{ tensors }})
{% for name in item.scalars | map(attribute='name') %}
        ctx.scalar_{{ name }} = {{ name }}
{% endfor %}
        return _forward_op({{ item.call }})

    @staticmethod
    def backward(ctx, grad_out: Tensor):
        {{ pattern % tensors }} = ctx.saved_tensors
{% for name in item.scalars | map(attribute='name') %}
        {{ name }} = ctx.scalar_{{ name }}
{% endfor %}
        if torch.is_grad_enabled():
            # Under create_graph=True the gradient will be differentiated in turn. The fused kernel
            # has no derivative; the reference has all of them.
            def forward({{ tensors }}):
                return {{ item.name }}_reference({{ item.call }})

            _, vjp = torch.func.vjp(forward, {{ tensors }})
            {{ pattern % gradients }} = vjp(grad_out)
        else:
            {{ gradients }} = _backward_op(grad_out, {{ item.call }})
        return {{ item.gradients }}


# `torch.ops` runs the public function at the Autograd key, so the operator is differentiable there
# too. The operator without its gradient has nothing at that key; the fallthrough says so, and saves
# PyTorch's own warning kernel on each call. Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
_registrations.impl("{{ item.name }}", {{ item.name }}, "Autograd")
_registrations.impl("{{ item.name }}_forward", torch.library.fallthrough_kernel, "Autograd")
