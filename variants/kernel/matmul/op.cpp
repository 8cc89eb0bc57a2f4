{% import pathjoin('languages', 'cpp.jinja') as cpp %}
{% set a, b = item.a, item.b %}
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
  check_factors("{{ item.name }}", "{{ a }}", {{ a }}, "{{ b }}", {{ b }});
{% for x in pass.columns %}
  {{ cpp.guard(x) }}check_columns("{{ item.name }}", "{{ x.name }}", {{ x.value }}, "{{ b }}", {{ b }});
{% endfor %}
{% include pathjoin('variants', 'kernel', 'matmul', 'forward.cpp' if loop.first else 'backward.cpp') %}
{% for value in pass.returned %}
  return {{ value }};
{% endfor %}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') %}

}  // namespace {{ project }}
