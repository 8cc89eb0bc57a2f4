// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
#include "../tensors.h"

namespace {{ project }} {

// ---- The kernels, which the _cpu.cpp and the _cuda.cu in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.
{% for pass in item.passes %}

template <typename T>
void {{ pass.name }}_cpu({{ pass.pointers }}, int64_t begin, int64_t end);
{% endfor %}

#ifdef USE_CUDA
{% for pass in item.passes %}
template <typename T>
cudaError_t launch_{{ pass.name }}({{ pass.pointers }}, int64_t numel, cudaStream_t stream);
{{ '' if loop.last else '\n' -}}
{% endfor %}
#endif

// ---- The operator{{ '' if autograd == 'none' else ' and its gradient' }}, for tensors
{% for pass in item.passes %}
{% set first = pass.inputs[0] %}

{{ pass.returns }} {{ pass.name }}({{ pass.parameters }}) {
  check_input("{{ item.name }}", "{{ first }}", {{ first }});
{% for name in pass.inputs[1:] %}
  check_like("{{ item.name }}", "{{ name }}", {{ name }}, "{{ first }}", {{ first }});
{% endfor %}
{% for name in pass.inputs %}
  {{ name }} = as_contiguous({{ name }});
{% endfor %}
{% for name in pass.outputs %}
  Tensor {{ name }} = empty_contiguous({{ first }});
{% endfor %}
  const int64_t numel = {{ first }}.numel();

  for_dtype({{ first }}, numel, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
      parallel_for(numel, [&](int64_t begin, int64_t end) {
        {{ pass.name }}_cpu({{ pass.data }}, begin, end);
      });
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard({{ first }}.get_device());
    const cudaError_t error = launch_{{ pass.name }}({{ pass.cuda_data }}, numel, current_stream({{ first }}));
    check_launch(error);
#else
    built_without_cuda("{{ item.name }}");
#endif
  });
  return {{ pass.result }};
}
{% endfor %}
{% include pathjoin('variants', 'autograd', autograd, 'op.cpp') %}

}  // namespace {{ project }}
