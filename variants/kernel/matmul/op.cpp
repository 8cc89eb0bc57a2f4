{% set forward = item.passes[0] %}
{% set a, b = item.a, item.b %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.autograd == 'cpp' %}
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

{% endif %}
#include "../compute.h"
#include "../tensors.h"

namespace {{ project }} {

// ---- The kernels, which the _cpu.cpp and the .cuh in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.
{% for pass in item.passes %}

template <typename T>
void {{ pass.name }}_cpu({{ pass.cpu_pointers }}, int64_t size, int64_t begin, int64_t end);
{% endfor %}

#ifdef USE_CUDA
template <typename T>
cudaError_t launch_{{ forward.name }}({{ forward.launch_pointers }}, compute_t<T>* partial, int64_t rows, int64_t columns, int64_t depth, int64_t parts, cudaStream_t stream);
{% for pass in item.passes[1:] %}

template <typename T>
cudaError_t launch_{{ pass.name }}({{ pass.launch_pointers }}, int64_t count, int64_t size, int64_t blocks, cudaStream_t stream);
{% endfor %}
#endif

// ---- The operator{{ '' if item.autograd == 'none' else ' and its gradient' }}, for tensors
{% for pass in item.passes %}
{% set first = pass.first %}

{{ pass.returns }} {{ pass.name }}({{ pass.parameters }}) {
  check_factors("{{ item.name }}", "{{ a }}", {{ a }}, "{{ b }}", {{ b }});
{% for x in pass.columns %}
  {{ x.guard }}check_columns("{{ item.name }}", "{{ x.name }}", {{ x.value }}, "{{ b }}", {{ b }});
{% endfor %}
{% include pathjoin('variants', 'kernel', 'matmul', 'forward.cpp' if loop.first else 'backward.cpp') %}
{% set launch_data = pass.launch_data ~ (', mutable_cuda_data<compute_t<T>>(partial), rows, columns, %s.size(1), parts' % a if loop.first else ', count, size, parts') %}
{% include pathjoin('variants', 'kernel', 'launch.cpp') %}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'op.cpp') %}

}  // namespace {{ project }}
