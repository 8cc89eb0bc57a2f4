{% set a, b = item.a, item.b %}
  const Checks check(‹"{{ item.name }}", {{ cpp.named(item, a) }}, {{ a }}›);
  check.floating(); {{- cpp.checks(item, pass) | indent(2) }}
{% include pathjoin('variants', 'kernel', 'matmul', 'backward.cpp' if pass.grads else 'forward.cpp') %}
