{% import pathjoin('languages', 'cpp.jinja') as cpp with context %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
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
{% set out = pass.row_out %}
{% if out.needs %}
  Tensor {{ out.name }};
  if ({{ out.needs }}) {{ out.name }} = empty_contiguous({{ pass.rows[0].name }});
{% else %}
  Tensor {{ out.name }} = empty_contiguous({{ pass.rows[0].name }});
{% endif %}
{% if pass.sums %}
{% include pathjoin('variants', 'kernel', 'rowwise', 'parts.cpp') %}
{% include pathjoin('variants', 'kernel', 'run_parts.cpp') %}
{% else %}

  for_dtype({{ first }}, count * size, [&](auto runner) {
    using T = typename decltype(runner)::T;
    {{ pass.class_name }}Args<T> {{ args }}{};
{% for x in pass.fields %}
    {{ args }}.{{ x.name }} = {{ cpp.filled(x) }};
{% endfor %}
    {{ args }}.count = count;
    {{ args }}.size = size;
    runner.run({{ args }}, count, size);
  });
{% endif %}
{% if pass.made %}
  return {{ cpp.result(pass) }};
{% endif %}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') ignore missing %}

}  // namespace {{ project }}
