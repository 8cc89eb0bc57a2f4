{% set unroll = '#pragma unroll\n' %}
// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../tile.cuh"

namespace {{ project }} {

// ---- Kernels
{% for pass in item.passes %}

template <bool kWhole, typename T>
__global__ void {{ pass.name }}_kernel({{ pass.pointers | replace('T* ', 'T* __restrict__ ') }}, int64_t numel) {
  const bool aligned = all_aligned({{ (pass.inputs + pass.outputs) | join(', ') }});
  for_tile<kWhole, T>(numel, aligned, [&](auto tile) {
{% include pathjoin('variants', 'kernel', 'elementwise', 'tile.cpp') %}
  });
}
{% endfor %}

#ifndef __CUDACC_RTC__
// ---- Launchers
{% for pass in item.passes %}

template <typename T>
cudaError_t launch_{{ pass.name }}({{ pass.pointers }}, int64_t numel, cudaStream_t stream) {
  const bool aligned = all_aligned({{ (pass.inputs + pass.outputs) | join(', ') }});
  const bool whole = aligned && numel % kBlockElements<T> == 0;
  auto kernel = {{ pass.name }}_kernel<false, T>;
  if (whole) kernel = {{ pass.name }}_kernel<true, T>;
  kernel<<<grid_size<T>(numel), kBlockSize, 0, stream>>>({{ pass.arguments }}, numel);
  return cudaGetLastError();
}
{% endfor %}

// The dtypes it is compiled for.
{% for pass in item.passes %}
{% for type in ['float', 'double', 'float16_t', 'bfloat16_t'] %}
template decltype(launch_{{ pass.name }}<{{ type }}>) launch_{{ pass.name }}<{{ type }}>;
{% endfor %}
{% endfor %}
#endif

}  // namespace {{ project }}
