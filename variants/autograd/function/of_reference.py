{# The gradient of a custom operator, which is its reference's. #}
{% set derivatives = item.shapes.derivatives %}
{% set not_derived = item.results | reject('in', derivatives) | list %}
{% set singles = tensors | reject('in', item.lists) | list %}
{% set several = item.lists | length > 1 %}
{# The tensors of the lists, behind the single ones. #}
{% set those = own('tensors', given_names) if several else item.lists | join %}
{% set starred = ['*' ~ those] if item.lists else [] %}
# EDIT: the gradient, if a kernel computes it.
class {{ item.class_name }}Function(torch.autograd.Function):
    """`{{ item.name }}`, and PyTorch's gradient of its reference."""

    @staticmethod
    def forward(‹{{ ctx }}, {{ parameters(item.args, false) }}{{ ', *_: Tensor' if item.lists }}›) -> {{
      'tuple[Tensor]' if item.listed and item.results | length == 1
      else result_type(item.results, item.absent) }}:
        {{ ctx }}.save_for_backward(‹{{ (singles + item.lists | map('regex_replace', '^', '*') | list)
          | join(', ') }}›)
{% if several %}
        {{ ctx }}.lengths = _checks.lengths_of(‹{{ item.lists | join(', ') }}›)
{% endif %}
{% for arg in item.args if not arg.tensor %}
        {{ ctx }}.arg_{{ arg.bare }} = {{ arg.name }}
{% endfor %}
{% if not_derived %}
        «{{ item.results | join(', ') }}» = {{ run }}({{ call }})
        {{ ctx }}.mark_non_differentiable({{ ('*_checks.without_none(‹%s›)'
          if not_derived | select('in', item.absent) | list else '‹%s›') % not_derived | join(', ') }})
        return «{{ item.results | join(', ') }}»
{% else %}
        return {{ as_tuple('%s(%s)' % (run, call), given_names) if item.listed else '%s(%s)' % (run, call) }}
{% endif %}

    @staticmethod
    def backward(‹{{ ctx }}, {{ grads | map('regex_replace', '$', ': Tensor') | join(', ') }}›):
        «{{ unpacked(singles + starred) if singles else '[%s]' % starred[0] }}» = {{ ctx }}.saved_tensors
{% if several %}
        {{ item.lists | join(', ') }} = _checks.split(‹{{ those }}, {{ ctx }}.lengths›)
{% endif %}
{% for arg in item.args if not arg.tensor %}
        {{ arg.name }} = {{ ctx }}.arg_{{ arg.bare }}
{% endfor %}
        return _checks.vjp(‹{{ item.name }}_reference, [{{ derivatives | map('regex_replace', '^', 'grad_')
          | join(', ') }}], {{ arguments(item.args) }}›)
