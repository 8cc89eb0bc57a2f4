{% import pathjoin('languages', 'cpp.jinja') as cpp with context %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
#include "../kit/tensors.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {
{% for pass in item.passes %}
{% set first, args = pass.first, cpp.args_of(pass) %}

{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›) {
  const Checks check(«"{{ item.name }}", {{ cpp.named(item, first) }}, {{ first }}»);
  check.floating();
{% for x in pass.given if x.name != first %}
  {{ cpp.guard(x) }}check.like(«{{ cpp.named(item, x.name) }}, {{ cpp.value(x) }}»);
{% endfor %}
{% set lengths = cpp.check_lengths(item) | trim if loop.first else '' %}
{{ '  %s\n' % lengths | indent(2) if lengths -}}
{% for x in pass.laid_out %}
  {{ cpp.guard(x) }}{{ x.name }} = {{ 'as_contiguous(' if item.layout == 'contiguous'
    else 'as_dense(' if x.name == item.model else 'in_layout_of(%s, ' % item.model }}{{ cpp.value(x) }});
{% endfor %}
{% for x in pass.outputs if x in pass.given %}
  {{ cpp.guard(x) }}check_output(«"{{ item.name }}", {{ cpp.named(item, x.name) }}, {{ ([cpp.value(x)]
    + pass.given | map(attribute='name') | reject('equalto', x.name) | list) | join(', ') }}»);
{% endfor %}
{% set dtype = 'result_dtype' if item.dtype_optional else item.dtype %}
{% if pass.typed and item.dtype_optional %}
  const c10::ScalarType result_dtype = {{ item.dtype }}.value_or({{ first }}.scalar_type());
{% endif %}
{% if pass.typed and pass.made %}
  check.dtype(«{{ cpp.named(item, item.dtype) }}, {{ dtype }}, Floats()»);
{% endif %}
{% for x in pass.made %}
{% if x.needs %}
  Tensor {{ x.name }};
  if ({{ x.needs }}) {{ x.name }} = empty_{{ item.layout }}({{ x.like }});
{% else %}
  Tensor {{ x.name }} = empty_{{ item.layout }}({{ x.like }}{{ ', ' ~ dtype if pass.typed }});
{% endif %}
{% endfor %}
  const int64_t numel = {{ first }}.numel();
{% if pass.typed %}
  for_dtypes({{ first }}, {{ pass.made[0].name }}, numel, [&](auto runner) {
    using T = typename decltype(runner)::T;
    using Out = typename decltype(runner)::Out;
{% else %}
  for_dtype({{ first }}, numel, [&](auto runner) {
    using T = typename decltype(runner)::T;
{% endif %}
    {{ pass.class_name }}Args<T{{ ', Out' if pass.typed }}> {{ args }}{};
{% for x in pass.fields %}
    {{ args }}.{{ x.name }} = {{ cpp.filled(x) }};
{% endfor %}
    {{ args }}.numel = numel;
    runner.run({{ args }}, numel);
  });
{% if pass.made %}
  return {{ cpp.result(pass) }};
{% endif %}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') ignore missing %}

}  // namespace {{ project }}
