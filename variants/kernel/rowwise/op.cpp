// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{{ '#include <torch/csrc/autograd/custom_function.h>\n#include <torch/library.h>\n\n' if item.autograd == 'cpp' -}}
#include "../kit/row_tensors.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {
{% for pass in item.passes %}
{% set first, args = pass.first, cpp.args_of(pass) %}

{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›) {
  const Checks check(«"{{ item.name }}", {{ cpp.named(item, first) }}, {{ first }}»);
  check.floating();
  check.rows();
{% for x in pass.rows if x.name != first %}
  check.like(«{{ cpp.named(item, x.name) }}, {{ x.name }}»);
{% endfor %}
{% for x in pass.columns %}
  {{ cpp.guard(x) }}check.columns(«{{ cpp.named(item, x.name) }}, {{ cpp.value(x) }}, {{ cpp.named(item, first)
    ~ ', ' ~ first }}»);
{% endfor %}
{% for x in pass.rows + pass.columns %}
  {{ cpp.guard(x) }}{{ x.name }} = as_contiguous({{ cpp.value(x) }});
{% endfor %}
  const int64_t size = {{ first }}.size(-1);
  const int64_t count = size == 0 ? 0 : {{ first }}.numel() / size;
  {{ cpp.defined(pass.row_out) }} = empty_contiguous({{ pass.rows[0].name }});
{% if pass.sums %}
{% include pathjoin('variants', 'kernel', 'rowwise', 'parts.cpp') %}
{% include pathjoin('variants', 'kernel', 'run_parts.cpp') %}
{% else %}

  for_dtype({{ first }}, count * size, [&](auto runner) {
    using T = typename decltype(runner)::T;
    {{ pass.class_name }}Args<T> {{ args }}{};
    {{ cpp.filled_fields(pass) | trim | indent(4) }}
    {{ args }}.count = count;
    {{ args }}.size = size;
    runner.run({{ args }}, count, size);
  });
{% endif %}
{{ '  return %s;\n' % cpp.result(pass) if pass.made -}}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') ignore missing %}

}  // namespace {{ project }}
