{% set tensors = item.inputs | map(attribute='name') | join(', ') %}
{% set gradients = item.passes[1].outputs | map(attribute='name') | join(', ') %}
{% set grads = item.passes[1].grads %}
{% set vjp_of = grads[0] if grads | length == 1 else 'grads' %}
{# To unpack a tuple. #}
{% set pattern = '%s' if item.inputs | length > 1 else '(%s,)' %}


# ---- Gradient

{% include pathjoin('variants', 'autograd', 'function', item.dispatch or 'written', 'forward.py') %}
{% include pathjoin('variants', 'autograd', 'backward_fake.py') %}
{% if item.maybe_unwritten %}


{% include pathjoin('variants', 'autograd', 'written', 'run.py') %}
{% endif %}


class {{ item.class_name }}Function(torch.autograd.Function):
    """EDIT: what the gradient needs, and how it is computed."""

    @staticmethod
    def forward(ctx, {{ item.plain_parameters }}) -> {{ item.op_result }}:
{% include pathjoin('variants', 'autograd', 'function', 'keep_needed.py' if item.kept_for_others else 'keep.py') %}
{% for scalar in item.scalars %}
        ctx.scalar_{{ scalar.bare }} = {{ scalar.name }}
{% endfor %}
        return {{ item.run }}({{ item.pass_on }})

    @staticmethod
    def backward(ctx, {{ grads | map('regex_replace', '$', ': Tensor') | join(', ') }}):
        {{ pattern % tensors }} = ctx.saved_tensors
{% if item.kept_for_others %}
{% include pathjoin('variants', 'autograd', 'function', 'not_kept.py') %}
{% endif %}
{% for scalar in item.scalars %}
        {{ scalar.name }} = ctx.scalar_{{ scalar.bare }}
{% endfor %}
{% for grad in grads if item.dtype %}
        {{ grad }} = {{ grad }}.to({{ item.inputs[item.first_input].name }}.dtype)
{% endfor %}
        if torch.is_grad_enabled():
            # Under create_graph=True the gradient will be differentiated in turn. The fused kernel
            # has no derivative; the reference has all of them.
{% if grads | length > 1 %}
            grads = ({{ grads | join(', ') }})

{% endif %}
{% include pathjoin('variants', 'autograd', 'function', 'vjp_of_optional.py' if item.inputs | selectattr('optional') | list else 'vjp.py') %}
        else:
{% if item.needed %}
            {{ ('%s' if item.names | length > 1 else '(%s,)') % item.needs }} = ctx.needs_input_grad
{% endif %}
            {{ gradients }} = _backward_op({{ item.passes[1].call }})
        return {{ item.gradients }}
{% include pathjoin('variants', 'autograd', 'function', item.dispatch or 'written', 'registrations.py') %}
