{# The gradient, and what PyTorch runs at the Autograd key. #}
{% set tensors = item.inputs | map(attribute='name') | list %}
{% set gradients = item.inputs | map(attribute='gradient') | list %}
{% set grads = item.results | map('regex_replace', '^', 'grad_') | list %}
{% set ctx = own('ctx', given_names) %}
{# What runs the operator below Autograd. #}
{% set run = '_op' if item.dispatch == 'cpp' else '_run' if item.dispatch or item.maybe_unwritten else '_forward_op' %}
{% set pass = item.passes | last %}
{{ '\n\n# ---- %s\n' % ('Gradient, which is computed in csrc/%s/%s.cpp' % (item.name, item.name)
  if item.autograd == 'cpp' else 'Gradient' if item.autograd == 'function' else 'Autograd')
  if item.autograd != 'none' or item.written -}}
{% if item.dispatch == 'python' or item.written and item.autograd != 'cpp' %}

# The operator {{ "without its gradient, for calls outside of PyTorch's transforms" if item.dispatch
  else 'without its gradient' if item.autograd == 'function'
  else 'below autograd: the same kernels, and no Python' }}.
_forward_op = _namespace._{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)
{{ '_run = _checks.below_gradient(‹_op, _forward_op›)\n' if item.dispatch -}}
{% endif %}
{% if item.autograd != 'none' and not item.of_reference %}

_backward_op = _namespace._{{ item.name }}_backward.default


@torch.library.register_fake(_backward_op)
def _backward_fake(‹{{ pass.names | join(', ') }}›):
{% include pathjoin('variants', 'kernel', item.kernel, 'check.py') %}
{# What kernels make: tensors of the same strides and no gaps, or contiguous ones. #}
{% set new = 'torch.empty_like(%s)' % item.model if item.layout == 'dense' else '@.new_empty(@.shape)' %}
{% for input in item.needed %}
    {{ input.gradient }} = «{{ new | replace('@', input.name) }} if {{ input.needs_gradient }} else None»
{% endfor %}
    return «{{ gradients | join(', ') if item.needed else new | replace('@', tensors[0]) }}»
{% endif %}
{% if item.maybe_unwritten %}
{{ '\n\n' if item.autograd != 'none' else '\n' -}}
_unwritten_op = _namespace._{{ item.name }}_unwritten.default
torch.library.register_fake(_unwritten_op)(_fake)
{{ '_run = _checks.below_writing(‹_forward_op, _unwritten_op›)\n' if item.autograd != 'cpp' -}}
{% endif %}
{% if item.autograd == 'function' %}
{# A gradient of a reference needs all arguments, and results without a gradient are marked. Lists of tensors are saved
   behind the single tensors. #}
{% set derivatives = item.shapes.derivatives if item.of_reference else item.results %}
{% set not_derived = item.results | reject('in', derivatives) | list %}
{% set kept = item.args | rejectattr('tensor') | list if item.of_reference else item.scalars %}
{# Code that owners wrote reads these. #}
{% set number = 'arg' if item.of_reference else 'scalar' %}
{% set singles = tensors | reject('in', item.lists) | list %}
{% set several = item.lists | length > 1 %}
{% set those = own('tensors', given_names) if several else item.lists | join %}
{% set starred = ['*' ~ those] if item.lists else [] %}


# EDIT: {{ 'the gradient, if a kernel computes it' if item.of_reference
  else 'the tensors that the gradient needs, and the gradient' }}.
class {{ item.class_name }}Function(torch.autograd.Function):
    """`{{ item.name }}`{{ ", and PyTorch's gradient of its reference" if item.of_reference
      else ' and its gradient' }}."""

    @staticmethod
    def forward(‹{{ ctx }}, {{ item.args | join(', ', 'typed') }}{{ ', *_: Tensor' if item.lists }}›) -> {{
      'tuple[Tensor]' if item.listed and item.results | length == 1
      else result_type(item.results, item.absent) }}:
        {{ ctx }}.save_for_backward(‹{{ (singles + item.lists | map('regex_replace', '^', '*') | list)
          | join(', ') }}›)
{{ '        %s.lengths = _checks.lengths_of(‹%s›)\n' % (ctx, item.lists | join(', ')) if several -}}
{% for arg in kept %}
        {{ ctx }}.{{ number }}_{{ arg.bare }} = {{ arg.name }}
{% endfor %}
{% if not_derived %}
        «{{ item.results | join(', ') }}» = {{ run }}({{ call }})
        {{ ctx }}.mark_non_differentiable({{ ('‹*_checks.without_none(‹%s›)›'
          if not_derived | select('in', item.absent) | list else '‹%s›') % not_derived | join(', ') }})
        return «{{ item.results | join(', ') }}»
{% else %}
        return {{ ('%s(%s)' if not item.listed else '(‹*%s(%s),›)' if 'tuple' in given_names
          else 'tuple(‹%s(%s)›)') % (run, call) }}
{% endif %}

    @staticmethod
    def backward(‹{{ ctx }}, {{ grads | map('regex_replace', '$', ': Tensor') | join(', ') }}›):
        «{{ unpacked(singles + starred) if singles else '[%s]' % starred[0] }}» = {{ ctx }}.saved_tensors
{{ '        %s = _checks.split(‹%s, %s.lengths›)\n' % (item.lists | join(', '), those, ctx) if several -}}
{% for arg in kept %}
        {{ arg.name }} = {{ ctx }}.{{ number }}_{{ arg.bare }}
{% endfor %}
{% set vjp = '_checks.vjp(‹%s_reference, [‹%s›], %s›)' % (item.name, derivatives | map('regex_replace', '^', 'grad_')
  | join(', '), item.reference_call | default(arguments(item.args))) %}
{% if item.of_reference %}
        return {{ vjp }}
{% else %}
{% for grad in grads if item.dtype %}
        {{ grad }} = {{ grad }}.to({{ tensors[item.first_input] }}.dtype)
{% endfor %}
        if torch.is_grad_enabled():
            # create_graph=True: PyTorch will differentiate this gradient. The kernel below has no
            # derivative, so the reference computes the gradient.
            return {{ vjp }}
{{ '        «%s» = %s.needs_input_grad\n' % (item.args | map(attribute='needs_gradient') | join(', '), ctx)
  if item.needed }}        «{{ gradients | join(', ') }}» = _backward_op(‹{{ pass.names | join(', ') }}›)
        return «{{ item.args | map(attribute='gradient') | join(', ') }}»
{% endif %}
{% endif %}
{% if item.written and item.autograd != 'cpp' %}


_checks.register_writing(‹_op, {{ run }}{{ ', %sFunction' % item.class_name if item.autograd == 'function' }}›)
{% elif item.dispatch %}


_checks.register_gradient(‹_op, {{ item.class_name }}Function, {{ item.name }}_reference{{
  ', _run' if item.dispatch == 'python' }}›)
{% elif item.autograd == 'cpp' and not item.written %}


# torch.func and forward mode differentiate this.
_checks.register_kernel(‹"{{ project }}::_{{ item.name }}_reference", {{
  item.name }}_reference, "CompositeImplicitAutograd"›)
{% endif %}
