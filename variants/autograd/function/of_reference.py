{# The gradient of a custom operator, which is its reference's. #}
{% set derivatives = item.shapes.derivatives %}
{% set not_derived = item.results | reject('in', derivatives) | list %}
{% set of = derivatives | map('regex_replace', '^', 'grad_') | join(', ') %}
{# Where one of several may be absent, it has neither a value nor a gradient. #}
{% set some = derivatives | length > 1 and (derivatives | select('in', item.absent) | list != [] or item.mixed) %}
{% set there = '_checks.floating(‹%s›)' if item.mixed else '_checks.without_none(‹%s›)' %}
{# One that has integers has no gradient, as if it were absent. #}
{% set optional = item.optional_inputs != [] or item.mixed %}
{% set inputs = item.grad_inputs | map(attribute='name') | list %}
{% set parts = namespace(results=[], gradients=[], behind=[]) %}
{% for name in item.results %}
{% set parts.results = parts.results + [name if name in derivatives else '_'] %}
{% endfor %}
{% for arg in item.args %}
{% set gradient = found ~ '.get("' ~ arg.name ~ '")' if optional else 'grad_' ~ arg.bare %}
{% set parts.gradients = parts.gradients + [gradient if arg.name in inputs and not arg.list else 'None'] %}
{% endfor %}
{% for arg in item.args if arg.name in item.lists %}
{% set gradient = found ~ '["' ~ arg.name ~ '"]' if optional else 'grad_' ~ arg.bare %}
{% set parts.behind = parts.behind + ['*' ~ gradient if arg.name in inputs else '*[None for _ in %s]' % arg.name if 'len' in given_names else '*[None] * len(%s)' % arg.name] %}
{% endfor %}
{% set singles = tensors | reject('in', item.lists) | list %}
{% set several = item.lists | length > 1 %}
{% set kept = singles + item.lists | map('regex_replace', '^', '*') | list %}
{% set reference = item.name ~ '_reference(' ~ ('‹**(%s | %s)›' % (given, those) if optional else call) ~ ')' %}
# EDIT: the gradient, if a kernel computes it.
class {{ item.class_name }}Function(torch.autograd.Function):
    """`{{ item.name }}`, and PyTorch's gradient of its reference."""

    @staticmethod
    def forward(‹{{ ctx }}, {{ parameters(item.args, false) }}{{ ', *_: Tensor' if item.lists }}›) -> {{
      'tuple[Tensor]' if item.listed and item.results | length == 1
      else result_type(item.results, item.absent) }}:
        {{ ctx }}.save_for_backward(‹{{ kept | join(', ') }}›)
{% if several %}
        {{ ctx }}.lengths = _checks.lengths_of(‹{{ item.lists | join(', ') }}›)
{% endif %}
{% for arg in item.args if not arg.tensor %}
        {{ ctx }}.arg_{{ arg.bare }} = {{ arg.name }}
{% endfor %}
{% if not_derived %}
        «{{ item.results | join(', ') }}» = {{ run }}({{ call }})
{% if not_derived | select('in', item.absent) | list %}
        {{ ctx }}.mark_non_differentiable(*_checks.without_none(‹{{ not_derived | join(', ') }}›))
{% else %}
        {{ ctx }}.mark_non_differentiable(‹{{ not_derived | join(', ') }}›)
{% endif %}
        return «{{ item.results | join(', ') }}»
{% else %}
        return {{ as_tuple('%s(%s)' % (run, call), given_names) if item.listed else '%s(%s)' % (run, call) }}
{% endif %}

    @staticmethod
    def backward(‹{{ ctx }}, {{ grads | map('regex_replace', '$', ': Tensor') | join(', ') }}›):
{% if several %}
        «{{ unpacked(singles + ['*' ~ those]) if singles else '[*%s]' % those }}» = {{ ctx }}.saved_tensors
        {{ item.lists | join(', ') }} = _checks.split(‹{{ those }}, {{ ctx }}.lengths›)
{% elif item.lists %}
        «{{ unpacked(singles + ['*' ~ item.lists[0]]) if singles
          else '[*%s]' % item.lists[0] }}» = {{ ctx }}.saved_tensors
{% else %}
        «{{ unpacked(tensors) }}» = {{ ctx }}.saved_tensors
{% endif %}
{% for arg in item.args if not arg.tensor %}
        {{ arg.name }} = {{ ctx }}.arg_{{ arg.bare }}
{% endfor %}
{% if optional %}
        {{ given }} = {{ by_name(item.args) }}
        {{ those }} = {{ by_name(item.grad_inputs) }}
        {{ those }} = {name: tensor for name, tensor in {{ those }}.items() if {{ '_checks.floating(tensor)' if item.mixed
          else 'tensor is not None' }}}
{% endif %}

        def {{ forward }}(‹{{ those if optional else inputs | join(', ') }}›):
{% if not_derived %}
            «{{ parts.results | join(', ') }}» = {{ reference }}
            return {{ there % derivatives | join(', ') if some else '«%s»' % derivatives | join(', ') }}
{% else %}
            return {{ there % ('*' ~ reference) if some else as_tuple(reference, given_names) if item.listed else reference }}
{% endif %}

        _, {{ vjp }}, *_ = torch.func.vjp(‹{{ forward }}, {{ those if optional else inputs | join(', ') }}›)
        «{{ '(%s,)' % found if optional
          else unpacked(inputs | map('regex_replace', '^_*(.*?)_*$', 'grad_\\1') | list) }}» = {{ vjp }}(‹{{ of
          if derivatives | length == 1 and not (item.listed and not not_derived) else there % of if some else '(‹' ~ of ~ (',' if derivatives | length == 1) ~ '›)' }}›)
        return «{{ (parts.gradients + parts.behind) | join(', ') }}»
