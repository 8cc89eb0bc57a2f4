// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
{% if item.passes[-1].sums %}
#include "../compute.h"
{% endif %}
#include "../tensors.h"

namespace {{ project }} {

// ---- The kernels, which the _cpu.cpp and the _cuda.cu in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.
{% for pass in item.passes %}

template <typename T>
void {{ pass.name }}_cpu({{ pass.cpu_pointers }}, int64_t size, int64_t begin, int64_t end);
{% endfor %}

#ifdef USE_CUDA
{% for pass in item.passes %}
template <typename T>
cudaError_t launch_{{ pass.name }}({{ pass.launch_pointers }}, int64_t count, int64_t size, {{ 'int64_t blocks, ' if pass.sums }}cudaStream_t stream);
{{ '' if loop.last else '\n' -}}
{% endfor %}
#endif

// ---- The operator{{ '' if item.autograd == 'none' else ' and its gradient' }}, for tensors
{% for pass in item.passes %}
{% set first = pass.first %}

{{ pass.returns }} {{ pass.name }}({{ pass.parameters }}) {
  check_rows("{{ item.name }}", "{{ first }}", {{ first }});
{% for x in pass.rows if x.name != first %}
  check_like("{{ item.name }}", "{{ x.name }}", {{ x.name }}, "{{ first }}", {{ first }});
{% endfor %}
{% for x in pass.columns %}
  {{ x.guard }}check_columns("{{ item.name }}", "{{ x.name }}", {{ x.value }}, "{{ first }}", {{ first }});
{% endfor %}
{% for x in pass.rows + pass.columns %}
  {{ x.guard }}{{ x.name }} = as_contiguous({{ x.value }});
{% endfor %}
  const int64_t size = {{ first }}.size(-1);
  const int64_t count = size == 0 ? 0 : {{ first }}.numel() / size;
{% for line in pass.row_out_made %}
  {{ line }}
{% endfor %}
{% if pass.sums %}
{% include pathjoin('variants', 'kernel', 'rowwise', 'parts.cpp') %}
{% endif %}

{% if pass.sums %}
  // Not by the number of elements: without rows, the sums are zeros that have to be written.
{% endif %}
  for_dtype({{ first }}, {{ 'size' if pass.sums else 'count * size' }}, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
{% include pathjoin('variants', 'kernel', 'rowwise', 'loop_over_parts.cpp' if pass.sums else 'loop_over_rows.cpp') %}
      return;
    }
{% set launch_data = pass.launch_data ~ ', count, size' ~ (', parts' if pass.sums else '') %}
{% include pathjoin('variants', 'kernel', 'launch.cpp') %}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') %}

}  // namespace {{ project }}
