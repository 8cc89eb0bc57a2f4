{% set a, b = item.a, item.b %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{{ '#include <torch/csrc/autograd/custom_function.h>\n#include <torch/library.h>\n\n' if item.autograd == 'cpp' -}}
#include "../kit/matrix_tensors.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {
{% for pass in item.passes %}
{% set first, args = pass.first, cpp.args_of(pass) %}

{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›) {
  const Checks check(«"{{ item.name }}", {{ cpp.named(item, a) }}, {{ a }}»);
  check.floating();
  check.factors(«{{ cpp.named(item, b) }}, {{ b }}»);
{% for x in item.written %}
  check.product(«{{ cpp.named(item, x.name) }}, {{ x.name }}, {{ cpp.named(item, b) }}, {{ b }}»);
{% endfor %}
{% if not loop.first %}
  check.product(«{{ cpp.named(item, first) }}, {{ first }}, {{ cpp.named(item, b) }}, {{ b }}»);
{% endif %}
{% for x in pass.columns %}
  {{ cpp.guard(x) }}check.columns(«{{ cpp.named(item, x.name) }}, {{ cpp.value(x) }}, {{ cpp.named(item, b)
    ~ ', ' ~ b }}»);
{% endfor %}
{% include pathjoin('variants', 'kernel', 'matmul', 'forward.cpp' if loop.first else 'backward.cpp') %}
{{ '  return %s;\n' % cpp.result(pass) if pass.made -}}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') ignore missing %}

}  // namespace {{ project }}
