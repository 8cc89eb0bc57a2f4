{% from pathjoin('variants', 'macros.jinja') import py, py_any, py_bare, py_unpack %}


# ---- Gradient

# The operator without its gradient.
_forward_op = _namespace.{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)

{% include pathjoin('variants', 'autograd', 'backward_fake.py') %}


class {{ item.class_name }}Function(torch.autograd.Function):
    """EDIT: what the gradient needs, and how it is computed."""

    @staticmethod
{{ py('    def forward(', [['ctx', ['']], ['@', item.py_args]], ') -> Tensor:') }}
{{ py('        ctx.save_for_backward(', [['@', item.tensors]], ')') }}
{% for name in item.scalars %}
        ctx.scalar_{{ name }} = {{ name }}
{% endfor %}
{{ py('        return _forward_op(', [['@', item.names]], ')') }}

    @staticmethod
    def backward(ctx, grad_out: Tensor):
{{ py_unpack('        ', item.tensors, '(@,)', 'ctx.saved_tensors', [], '') }}
{% for name in item.scalars %}
        {{ name }} = ctx.scalar_{{ name }}
{% endfor %}
        if torch.is_grad_enabled():
            # Under create_graph=True the gradient will be differentiated in turn. The fused kernel
            # has no derivative; the reference has all of them.
{{ py('            def forward(', [['@', item.tensors]], '):') }}
{{ py('                return ' ~ item.name ~ '_reference(', [['@', item.names]], ')') }}

{{ py('            _, vjp = torch.func.vjp(', [['@', ['forward'] + item.tensors]], ')') }}
{{ py_unpack('            ', item.passes[1].outputs, '(@,)', 'vjp(grad_out)', [], '') }}
        else:
{{ py_unpack('            ', item.passes[1].outputs, '@', '_backward_op(', [['@', ['grad_out'] + item.names]], ')') }}
{{ py_bare('        return ', [['@', item.gradients]]) }}


# `torch.ops` runs the public function at the Autograd key, so the operator is differentiable there
# too. The operator without its gradient has nothing at that key; the fallthrough says so, and saves
# PyTorch's own warning kernel on each call. Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
{{ py('_registrations.impl(', [['"@"', [item.name]], ['@', [item.name, '"Autograd"']]], ')') }}
{{ py('_registrations.impl(', [['"@_forward"', [item.name]], ['@', ['torch.library.fallthrough_kernel', '"Autograd"']]], ')') }}
