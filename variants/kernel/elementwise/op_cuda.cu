{% from pathjoin('variants', 'macros.jinja') import cpp, cpp_assign, cpp_call, cpp_instantiate %}
{% set unroll = '#pragma unroll\n' %}
// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../tile.cuh"

namespace {{ project }} {

// ---- Kernels
{% for pass in item.passes %}

template <bool kWhole, typename T>
{{ cpp('__global__ void ' ~ pass.name ~ '_kernel(', [['const T* __restrict__ @', pass.inputs], ['@', item.scalar_cpp], ['T* __restrict__ @', pass.outputs], ['int64_t numel', ['']]], ') {') }}
{{ cpp_assign('  const bool aligned', 'all_aligned(', [['@', pass.inputs + pass.outputs]], ');') }}
  for_tile<kWhole, T>(numel, aligned, [&](auto tile) {
{% include pathjoin('variants', 'kernel', 'elementwise', 'tile.cpp') %}
  });
}
{% endfor %}

#ifndef __CUDACC_RTC__
// ---- Launchers
{% for pass in item.passes %}

template <typename T>
{{ cpp('cudaError_t launch_' ~ pass.name ~ '(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t numel', 'cudaStream_t stream']]], ') {') }}
{{ cpp_assign('  const bool aligned', 'all_aligned(', [['@', pass.inputs + pass.outputs]], ');') }}
  const bool whole = aligned && numel % kBlockElements<T> == 0;
  auto kernel = {{ pass.name }}_kernel<false, T>;
  if (whole) kernel = {{ pass.name }}_kernel<true, T>;
{{ cpp_call('  kernel<<<grid_size<T>(numel), kBlockSize, 0, stream>>>(', [['@', pass.inputs + item.scalars + pass.outputs + ['numel']]], ');') }}
  return cudaGetLastError();
}
{% endfor %}

// The dtypes it is compiled for.
{% for pass in item.passes %}
{% for type in ['float', 'double', 'float16_t', 'bfloat16_t'] %}
{{ cpp_instantiate('launch_' ~ pass.name ~ '<' ~ type ~ '>') }}
{% endfor %}
{% endfor %}
#endif

}  // namespace {{ project }}
