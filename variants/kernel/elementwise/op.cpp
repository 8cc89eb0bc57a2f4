// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
#include "../tensors.h"

namespace {{ project }} {

// ---- The kernels, which the _cpu.cpp and the _cuda.cu in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.
{% for pass in item.passes %}

template <{{ pass.template }}>
void {{ pass.name }}_cpu({{ pass.pointers }}, int64_t begin, int64_t end);
{% endfor %}

#ifdef USE_CUDA
{% for pass in item.passes %}
template <{{ pass.template }}>
cudaError_t launch_{{ pass.name }}({{ pass.pointers }}, int64_t numel, cudaStream_t stream);
{{ '' if loop.last else '\n' -}}
{% endfor %}
#endif

// ---- The operator{{ '' if item.autograd == 'none' else ' and its gradient' }}, for tensors
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
{% for line in [pass.dtype_cpp] if line %}
  {{ line }}
{% endfor %}
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

  for_dtype({{ pass.dtypes | map('last') | join(', ') }}, numel, [&]({{ pass.zeros }}) {
{% for type, zero, tensor in pass.dtypes %}
    using {{ type }} = decltype({{ zero }});
{% endfor %}
    if ({{ first }}.is_cpu()) {
      parallel_for(numel, [&](int64_t begin, int64_t end) {
        {{ pass.name }}_cpu({{ pass.data }}, begin, end);
      });
      return;
    }
{% set launch_data = pass.cuda_data ~ ', numel' %}
{% include pathjoin('variants', 'kernel', 'launch.cpp') %}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') %}

}  // namespace {{ project }}
