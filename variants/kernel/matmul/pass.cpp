{% set a, b = item.a, item.b %}
  const Checks check(‹"{{ item.name }}", {{ cpp.named(item, a) }}, {{ a }}›);
  check.floating();
  check.factors(‹{{ cpp.named(item, b) }}, {{ b }}›);
{% for name in item.written | map(attribute='name') | list + pass.grads %}
  check.product(‹{{ cpp.named(item, name) }}, {{ name }}, {{ cpp.named(item, b) }}, {{ b }}›);
{% endfor %}
{% for x in pass.columns %}
  {{ cpp.guard(x) }}check.columns(‹{{ cpp.named(item, x.name) }}, {{ cpp.value(x) }}, {{ cpp.named(item, b)
    ~ ', ' ~ b }}›);
{% endfor %}
{% include pathjoin('variants', 'kernel', 'matmul', 'backward.cpp' if pass.grads else 'forward.cpp') %}
