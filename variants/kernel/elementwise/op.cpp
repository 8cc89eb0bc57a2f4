{% from pathjoin('variants', 'macros.jinja') import cpp, cpp_assign, cpp_call %}
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
{{ cpp('void ' ~ pass.name ~ '_cpu(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t begin', 'int64_t end']]], ');') }}
{% endfor %}

#ifdef USE_CUDA
{% for pass in item.passes %}
template <typename T>
{{ cpp('cudaError_t launch_' ~ pass.name ~ '(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t numel', 'cudaStream_t stream']]], ');') }}
{{ '' if loop.last else '\n' -}}
{% endfor %}
#endif

// ---- The operator{{ '' if autograd == 'none' else ' and its gradient' }}, for tensors
{% for pass in item.passes %}

{{ cpp(pass.cpp_returns ~ ' ' ~ pass.name ~ '(', [['@', pass.cpp_args]], ') {') }}
{{ cpp_call('  check_input(', [['"@"', [item.name, pass.inputs[0]]], ['@', pass.inputs[:1]]], ');') }}
{% for name in pass.inputs[1:] %}
{{ cpp_call('  check_like(', [['"@"', [item.name, name]], ['@', [name]], ['"@"', pass.inputs[:1]], ['@', pass.inputs[:1]]], ');') }}
{% endfor %}
{% for name in pass.inputs %}
  {{ name }} = as_contiguous({{ name }});
{% endfor %}
{% for name in pass.outputs %}
  Tensor {{ name }} = empty_contiguous({{ pass.inputs[0] }});
{% endfor %}
  const int64_t numel = {{ pass.inputs[0] }}.numel();

  for_dtype({{ pass.inputs[0] }}, numel, [&](auto zero) {
    using T = decltype(zero);
    if ({{ pass.inputs[0] }}.is_cpu()) {
      parallel_for(numel, [&](int64_t begin, int64_t end) {
{{ cpp_call('        ' ~ pass.name ~ '_cpu(', [['const_data<T>(@)', pass.inputs], ['@', item.scalars], ['mutable_data<T>(@)', pass.outputs], ['@', ['begin', 'end']]], ');') }}
      });
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard({{ pass.inputs[0] }}.get_device());
{{ cpp_assign('    const cudaError_t error', 'launch_' ~ pass.name ~ '(', [['const_cuda_data<T>(@)', pass.inputs], ['@', item.scalars], ['mutable_cuda_data<T>(@)', pass.outputs], ['@', ['numel', 'current_stream(' ~ pass.inputs[0] ~ ')']]], ');') }}
    check_launch(error);
#else
    built_without_cuda("{{ item.name }}");
#endif
  });
{{ cpp_call('  return ' ~ pass.result[0], [['@', pass.outputs]], pass.result[1]) }}
}
{% endfor %}
{% include pathjoin('variants', 'autograd', autograd, 'op.cpp') %}

}  // namespace {{ project }}
