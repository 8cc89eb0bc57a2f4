// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../tile.cuh"

namespace {{ project }} {

// ---- Kernels
//
// A tile is what one thread handles: 16 bytes of each tensor, 4 elements of float32. Most threads
// read and write theirs 8 bytes at a time; those at the end, or of misaligned tensors, an element
// at a time. for_tile in tile.cuh decides which; with kWhole, all are of the first kind.
{% for pass in item.passes %}

template <bool kWhole, {{ pass.template }}>
__global__ void __launch_bounds__(kBlockSize) {{ pass.name }}_kernel({{ pass.restrict_pointers }}, int64_t numel) {
  const bool aligned = all_aligned({{ pass.tensors }});
  for_tile<kWhole, T>(numel, aligned, [&](auto tile) {
{% for name in pass.arrays %}
    compute_t<T> {{ name }}_values[tile.kSize];
{% endfor %}
{% for x in pass.inputs %}
    {{ x.guard }}tile.load({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
#pragma unroll
    for (int i = 0; i < tile.kSize; ++i) {
{% for line in pass.pointers_at_i %}
      {{ line }}
{% endfor %}
      {{ pass.name }}_element<compute_t<T>>({{ pass.values_at_i }});
    }
{% for x in pass.outputs %}
    {{ x.guard }}tile.store({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
  });
}
{% endfor %}

#ifndef __CUDACC_RTC__
// ---- Launchers
{% for pass in item.passes %}

template <{{ pass.template }}>
cudaError_t launch_{{ pass.name }}({{ pass.pointers }}, int64_t numel, cudaStream_t stream) {
  const bool aligned = all_aligned({{ pass.tensors }});
  const bool whole = aligned && numel % kBlockElements<T> == 0;
  const auto kernel = whole ? {{ pass.name }}_kernel<true, {{ pass.types }}> : {{ pass.name }}_kernel<false, {{ pass.types }}>;
  kernel<<<grid_size<T>(numel), kBlockSize, 0, stream>>>({{ pass.arguments }}, numel);
  return cudaGetLastError();
}
{% endfor %}

// The dtypes it is compiled for.
#define INSTANTIATE(T){% for pass in item.passes %}{% for types in pass.cuda_instances %} template cudaError_t launch_{{ pass.name }}({{ types }}, int64_t, cudaStream_t);{% endfor %}{% endfor %}


INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)
#undef INSTANTIATE
#endif

}  // namespace {{ project }}
