// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../pixel.cuh"

namespace {{ project }} {
{% set pass = item.passes[0] %}

template <bool kAligned, typename T>
__global__ void __launch_bounds__(kPixelBlock) {{ item.name }}_kernel({{ pass.restrict_pointers }}, int64_t count) {
  const auto element = [&](const float* pixel, float* result) {
    {{ item.name }}_element<float>({{ item.element_values }});
  };
  for_pixels<kAligned, {{ item.class_name }}Channels>({{ pass.tensors }}, count, element);
}

#ifndef __CUDACC_RTC__
template <typename T>
cudaError_t launch_{{ item.name }}({{ pass.pointers }}, int64_t count, cudaStream_t stream) {
  const bool aligned = pixels_aligned({{ item.first }});
  const auto kernel = aligned ? {{ item.name }}_kernel<true, T> : {{ item.name }}_kernel<false, T>;
  kernel<<<pixel_blocks<T>(count), kPixelBlock, 0, stream>>>({{ pass.arguments }}, count);
  return cudaGetLastError();
}

// The dtypes it is compiled for.
#define INSTANTIATE(T) template cudaError_t launch_{{ item.name }}({{ pass.cuda_instances[0] }}, int64_t, cudaStream_t);

{% for type in item.cuda_types %}
INSTANTIATE({{ type }})
{% endfor %}
#undef INSTANTIATE
#endif

}  // namespace {{ project }}
