{# The gradient, and the function at the Autograd key. #}
{% from pathjoin('languages', 'names.jinja') import as_list, as_tuple, own with context %}
{% from pathjoin('languages', 'py.jinja') import arguments, by_name, named, parameters, result_type, unpacked %}
{% set tensors = item.inputs | map(attribute='name') | list %}
{% set gradients = item.inputs | map(attribute='bare') | map('regex_replace', '^', 'grad_') | list %}
{% set grads = item.results | map('regex_replace', '^', 'grad_') | list %}
{% set names = item.names | join(', ') %}
{% set call = '‹%s›' % arguments(item.args) %}
{# Autograd sees no tensor in a list, so these come again behind the arguments. #}
{% set lists = item.lists | map('regex_replace', '^', '*') | list %}
{% set apply = item.class_name ~ 'Function.apply(‹' ~ (item.names + lists) | join(', ') ~ '›)' %}
{% set apply = as_list(apply, item.given_names) if item.listed else apply %}
{# Our variables. #}
{% set ctx, forward, vjp, found = own('ctx', given_names), own('forward', given_names), own('vjp', given_names), own('found', given_names) %}
{% set given, those, outs, every = own('given', given_names), own('tensors', given_names), own('outs', given_names), own('grads', given_names) %}
{# What runs the operator below Autograd. #}
{% set run = '_op' if item.dispatch == 'cpp' else '_run' if item.dispatch or item.maybe_unwritten else '_forward_op' %}
{# For each argument, whether its gradient is needed, and the gradient. #}
{% set now = namespace(needs=[], gradients=[]) %}
{% for arg in item.args %}
{% set now.needs = now.needs + ['needs_' ~ arg.name if arg.name in tensors else '_'] %}
{% set now.gradients = now.gradients + ['grad_' ~ arg.bare if arg.name in tensors else 'None'] %}
{% endfor %}
{% if item.autograd == 'cpp' %}


# ---- Gradient, which is computed in csrc/{{ item.name }}/{{ item.name }}.cpp

{% elif item.autograd == 'function' %}


# ---- Gradient

{% elif item.written %}


# ---- Autograd

{% endif %}
{% if item.dispatch == 'cpp' and item.of_reference %}

{% elif item.dispatch == 'python' %}
# The operator without its gradient, for calls outside of PyTorch's transforms.
_forward_op = _namespace.{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)


def _run(‹{{ parameters(item.args) }}›) -> {{ result_type(item.results, item.absent, item.op_listed) }}:
    """Run the kernel; if a mode, such as a checkpoint's, takes part, run the operator itself."""
    if not _checks.count_modes():
        return _forward_op({{ call }})
    with _checks.below_autograd():
        return _op({{ call }})


{% elif item.written and item.autograd != 'cpp' %}
# The operator {{ 'without its gradient' if item.autograd == 'function'
  else 'below autograd: the same kernels, and no Python' }}.
_forward_op = _namespace.{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)
{% if item.autograd == 'function' or item.maybe_unwritten %}

{% endif %}
{% endif %}
{% if item.autograd != 'none' and not item.of_reference %}
_backward_op = _namespace.{{ item.name }}_backward.default


@torch.library.register_fake(_backward_op)
def _backward_fake(‹{{ item.passes[1].names | join(', ') }}›):
{% set pass = item.passes[1] %}
{% include pathjoin('variants', 'kernel', 'check.py') %}
{# What kernels make: tensors of the same strides and no gaps, or contiguous ones. #}
{% for input in item.inputs %}
{% set new = 'torch.empty_like(' ~ item.model ~ ')' if item.layout == 'dense' else input.name ~ '.new_empty('
  ~ input.name ~ '.shape)' %}
{% if item.needed %}
    grad_{{ input.bare }} = «{{ new }} if needs_{{ input.name }} else None»
{% else %}
    return {{ new }}
{% endif %}
{% endfor %}
{% if item.needed %}
    return «{{ gradients | join(', ') }}»
{% endif %}
{% if item.maybe_unwritten %}


{% endif %}
{% endif %}
{% if item.maybe_unwritten %}
_unwritten_op = _namespace.{{ item.name }}_unwritten.default
torch.library.register_fake(_unwritten_op)(_fake)
{% if item.autograd != 'cpp' %}


def _run(‹{{ parameters(item.args) }}›) -> {{ result_type(item.results, item.absent, item.op_listed) }}:
    # torch.compile refuses an operator that writes if there is nothing to write to (PyTorch 2.15).
    {{ own('unwritten', given_names) }} = {{ item.written | map(attribute='name') | map('regex_replace', '$', ' is None') | join(' and ') }}
    {{ own('op', given_names) }} = _unwritten_op if {{ own('unwritten', given_names) }} else _forward_op
    return {{ own('op', given_names) }}({{ call }})
{% endif %}
{% endif %}
{% if item.of_reference %}
{% include pathjoin('variants', 'autograd', 'function', 'of_reference.py') %}
{% elif item.autograd == 'function' %}


# EDIT: the tensors that the gradient needs, and the gradient.
class {{ item.class_name }}Function(torch.autograd.Function):
    """`{{ item.name }}` and its gradient."""

    @staticmethod
    def forward(‹{{ ctx }}, {{ parameters(item.args, false) }}›) -> {{
      result_type(item.results, item.absent, item.op_listed) }}:
        {{ ctx }}.save_for_backward(‹{{ tensors | join(', ') }}›)
{% for scalar in item.scalars %}
        {{ ctx }}.scalar_{{ scalar.bare }} = {{ scalar.name }}
{% endfor %}
        return {{ run }}({{ call }})

    @staticmethod
    def backward(‹{{ ctx }}, {{ grads | map('regex_replace', '$', ': Tensor') | join(', ') }}›):
        «{{ unpacked(tensors) }}» = {{ ctx }}.saved_tensors
{% for scalar in item.scalars %}
        {{ scalar.name }} = {{ ctx }}.scalar_{{ scalar.bare }}
{% endfor %}
{% for grad in grads if item.dtype %}
        {{ grad }} = {{ grad }}.to({{ tensors[item.first_input] }}.dtype)
{% endfor %}
        if torch.is_grad_enabled():
            # With create_graph=True: the kernel has no derivative; the reference has all
            # derivatives.
{% if grads | length > 1 %}
            {{ every }} = (‹{{ grads | join(', ') }}›)

{% endif %}
{% set vjp_of = grads[0] if grads | length == 1 else every %}
{% if item.optional_inputs %}
            {{ those }} = {{ by_name(item.inputs) }}
            {{ given }} = {name: tensor for name, tensor in {{ those }}.items() if tensor is not None}

            def {{ forward }}({{ given }}):
{% set reference = '%s_reference(‹**(%s | %s)%s›)' % (item.name, those, given, item.reference_rest) %}
{% else %}
            def {{ forward }}(‹{{ tensors | join(', ') }}›):
{% set reference = item.name ~ '_reference(‹' ~ item.reference_call ~ '›)' %}
{% endif %}
{% if item.reference_part %}
                {{ outs }} = {{ reference }}
                return {{ outs }}{{ item.reference_part }}
{% else %}
                return {{ reference }}
{% endif %}

{% if item.optional_inputs %}
            _, {{ vjp }}, *_ = torch.func.vjp(‹{{ forward }}, {{ given }}›)
            ({{ found }},) = {{ vjp }}({{ vjp_of }})
{% for input in item.inputs %}
            grad_{{ input.bare }} = {{ found }}{{ '.get("%s")' % input.name if input.optional
              else '["%s"]' % input.name }}
{% endfor %}
{% else %}
            _, {{ vjp }}, *_ = torch.func.vjp(‹{{ forward }}, {{ tensors | join(', ') }}›)
            «{{ unpacked(gradients) }}» = {{ vjp }}({{ vjp_of }})
{% endif %}
        else:
{% if item.needed %}
            «{{ unpacked(now.needs) }}» = {{ ctx }}.needs_input_grad
{% endif %}
            «{{ gradients | join(', ') }}» = _backward_op(‹{{ item.passes[1].names | join(', ') }}›)
        return «{{ now.gradients | join(', ') }}»
{% endif %}
{% if item.dispatch == 'cpp' %}


_checks.register_gradient(‹_op, {{ item.class_name }}Function, {{ item.name }}_reference›)
{% elif item.dispatch == 'python' or item.written and item.autograd != 'cpp' %}


def _autograd(‹{{ parameters(item.args) }}›) -> {{ result_type(item.results, item.absent, item.op_listed) }}:
{% if item.written %}
{% set refused = item.written if item.autograd == 'function' else item.args | selectattr('tensor') | list %}
    """Run the operator after telling autograd which arguments it writes to."""
{% if item.required %}
    _checks.check_defined(‹"{{ item.name }}", {{ named(item.required) }}›)
{% endif %}
    if _checks.in_transform():
        raise RuntimeError(
            "{{ item.name }}: torch.func and forward mode do not support an operator that writes; call "
            "`{{ item.name }}_reference` there"
        )
    _checks.check_writable(‹"{{ item.name }}", {{ named(item.written | map(attribute='name')) }}›)
    _checks.check_no_gradient(‹"{{ item.name }}", "{{ 'is written to, so it must not require a gradient' if item.autograd == 'function'
      else 'must not require a gradient, because the operator has none' }}", {{ named(refused | map(attribute='name')) }}›)
{% for x in item.written %}
{% if x.optional %}
    if {{ x.name }} is not None:
        torch.autograd.graph.increment_version({{ x.name }})
{% else %}
    torch.autograd.graph.increment_version({{ x.name }})
{% endif %}
{% endfor %}
{% else %}
    """Run the operator, as `torch.ops` does."""
{% if item.required %}
    _checks.check_defined(‹"{{ item.name }}", {{ named(item.required) }}›)
{% endif %}
    if _checks.in_transform():
        return {{ item.name }}_reference({{ call }})
{% endif %}
{% if item.autograd == 'function' %}
    if _checks.needs_gradient(‹{{ item.grad_inputs | map(attribute='name') | join(', ') }}›):
        return {{ apply }}
{% endif %}
    return {{ run }}({{ call }})


{% if item.written %}
# The second operator has no kernel at the Autograd key, which the fallthrough declares. Registrations
# last as long as this object.
{% else %}
# The operator that only the public function calls has no kernel at the Autograd key. The fallthrough
# declares this, so that calls skip PyTorch's own warning kernel. Registrations last as long as this
# object.
{% endif %}
_registrations = torch.library.Library(‹"{{ project }}", "IMPL"›)
_registrations.impl(‹"{{ item.name }}", _autograd, "Autograd"›)
_registrations.impl(‹"{{ item.name }}_forward", torch.library.fallthrough_kernel, "Autograd"›)
{% elif item.autograd == 'cpp' and not item.written %}


# torch.func and forward mode differentiate this. The registration ends when this object is deleted.
_registrations = torch.library.Library(‹"{{ project }}", "IMPL"›)
_registrations.impl(‹"{{ item.name }}_reference", {{ item.name }}_reference, "CompositeImplicitAutograd"›)
{% endif %}
