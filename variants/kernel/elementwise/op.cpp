{% import pathjoin('languages', 'cpp.jinja') as cpp %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
#include "../tensors.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {
{% for pass in item.passes %}
{% set first = pass.first %}

{{ pass.returns }} {{ pass.name }}({{ pass.parameters }}) {
  check_input("{{ item.name }}", "{{ first }}", {{ first }});
{% for x in pass.given if x.name != first %}
  {{ x.guard }}check_like("{{ item.name }}", "{{ x.name }}", {{ x.value }}, "{{ first }}", {{ first }});
{% endfor %}
{% for x in pass.laid_out %}
  {{ x.guard }}{{ x.name }} = {{ x.cpp }};
{% endfor %}
{% for x in pass.outputs if x in pass.given %}
  {{ x.guard }}check_output("{{ item.name }}", "{{ x.name }}", {{ x.value }}{% for y in pass.given if y != x %}, {{ y.name }}{% endfor %});
{% endfor %}
{% if pass.dtype_cpp %}
  {{ pass.dtype_cpp }}
{% endif %}
{% for x in pass.made %}
{% if x.needs %}
  Tensor {{ x.name }};
  if ({{ x.needs }}) {{ x.name }} = empty_{{ item.layout }}({{ x.like }});
{% else %}
  Tensor {{ x.name }} = empty_{{ item.layout }}({{ x.like }}{{ pass.dtype }});
{% endif %}
{% endfor %}
{% for x in pass.made if x.element == 'Out' %}
  check_input("{{ item.name }}", "{{ item.dtype }}", {{ x.name }});
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
    {{ pass.class_name }}Args<T{{ ', Out' if pass.typed }}> kernel{};
{% for x in pass.fields %}
    kernel.{{ x.name }} = {{ cpp.filled(x) }};
{% endfor %}
    kernel.numel = numel;
    runner.run(kernel, numel);
  });
{% for value in pass.returned %}
  return {{ value }};
{% endfor %}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') %}

}  // namespace {{ project }}
