// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
{% if item.passes[1:] %}
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
  Tensor {{ pass.row_out.name }} = empty_contiguous({{ first }});
{% if pass.sums %}
  // A column's gradient is added up over each part of the rows, and then over the parts.
  const int64_t parts = row_parts({{ first }}, count);
{% for x in pass.sums %}
{% if x.optional %}
  std::optional<Tensor> {{ x.grad }}, {{ x.name }};
  if ({{ x.column }}) {
    {{ x.grad }} = empty_contiguous(*{{ x.column }});
    {{ x.name }} = empty_parts(*{{ x.column }}, parts);
  }
{% else %}
  Tensor {{ x.grad }} = empty_contiguous({{ x.column }});
  Tensor {{ x.name }} = empty_parts({{ x.column }}, parts);
{% endif %}
{% endfor %}
{% endif %}

  for_dtype({{ first }}, {{ 'size' if pass.sums else first ~ '.numel()' }}, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
{% if pass.sums %}
      using Value = compute_t<T>;
      parallel_for_rows(parts, (count / parts + 1) * size, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
          const int64_t first_row = part * count / parts, last_row = (part + 1) * count / parts;
          {{ pass.name }}_cpu({{ pass.cpu_data }}, size, first_row, last_row);
        }
      });
{% for x in pass.sums %}
      {{ x.guard }}sum_parts(mutable_data<Value>({{ x.name }}), mutable_data<T>({{ x.grad }}), parts, size);
{% endfor %}
{% else %}
      parallel_for_rows(count, size, [&](int64_t begin, int64_t end) {
        {{ pass.name }}_cpu({{ pass.cpu_data }}, size, begin, end);
      });
{% endif %}
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard({{ first }}.get_device());
    const cudaError_t error = launch_{{ pass.name }}({{ pass.launch_data }}, count, size, {{ 'parts, ' if pass.sums }}current_stream({{ first }}));
    check_launch(error);
#else
    built_without_cuda("{{ item.name }}");
#endif
  });
{% for value in pass.returned %}
  return {{ value }};
{% endfor %}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') %}

}  // namespace {{ project }}
