// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../voxel.cuh"

namespace {{ project }} {

template <bool kAligned, typename T>
__global__ void __launch_bounds__(kVoxelBlock) {{ item.name }}_kernel({{ item.kernel_pointers }}, int64_t numel) {
  using Value = compute_t<T>;
{% for bound in item.bounds %}
  Value {{ bound }}_bound = {{ bound }};
  if (own_{{ bound }}) {{ bound }}_bound = *own_{{ bound }};
{% endfor %}
  const auto element = [&](Value voxel, Value& result) {
    {{ item.name }}_element<Value>({{ item.element_values }});
  };
  for_voxels<kAligned>({{ item.first }}, {{ item.results[0] }}, numel, element);
}

#ifndef __CUDACC_RTC__
template <typename T>
cudaError_t launch_{{ item.name }}({{ item.launch_pointers }}, int64_t numel, cudaStream_t stream) {
{% if item.bounds %}
  // What is absent is found first. It stays on the GPU, where the kernel reads it.
  using Value = compute_t<T>;
  Value* const range = static_cast<Value*>(ranges);
  if (range) launch_find_range({{ item.first }}, range, numel, stream);
{% endif %}
{% for bound in item.bounds %}
  const Value* const own_{{ bound }} = {{ bound }} ? nullptr : range{{ ' + 1' if loop.index0 }};
{% endfor %}
  const bool aligned = voxels_aligned({{ item.first }});
  const auto kernel = aligned ? {{ item.name }}_kernel<true, T> : {{ item.name }}_kernel<false, T>;
  kernel<<<voxel_blocks(numel), kVoxelBlock, 0, stream>>>({{ item.kernel_arguments }}, numel);
  return cudaGetLastError();
}

// The dtypes it is compiled for.
#define INSTANTIATE(T) template cudaError_t launch_{{ item.name }}({{ item.launch_pointer_types }}, int64_t, cudaStream_t);

{% for type in item.cuda_types %}
INSTANTIATE({{ type }})
{% endfor %}
#undef INSTANTIATE
#endif

}  // namespace {{ project }}
