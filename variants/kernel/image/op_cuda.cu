// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../kit/pixel.cuh"
{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
#include "{{ item.name }}_args.h"
{{ '#endif\n' if build == 'nvrtc' }}
namespace {{ project }} {
{% set pass = item.passes[0] %}

template <bool kAligned, typename T>
__global__ void __launch_bounds__(kPixelBlock) {{ item.name }}_kernel(‹{{ cpp.list(pass.fields,
  cpp.field, 'parameter') }}, int64_t count›) {
  const auto element = [&](const float* pixel, float* result) {
    {{ item.name }}_element<float>(‹{{ (['pixel'] + item.numbers | map(attribute='name') | list
      + ['result']) | join(', ') }}›);
  };
  for_pixels<kAligned, {{ item.class_name }}Channels>(‹{{ item.first }}, {{ item.results[0] }}, count, element›);
}

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
template <typename T>
cudaError_t {{ item.class_name }}Args<T>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = pixels_aligned({{ item.first }});
  auto kernel = {{ item.name }}_kernel<false, T>;
  if (aligned) kernel = {{ item.name }}_kernel<true, T>;
  kernel<<<pixel_blocks<T>(count), kPixelBlock, 0, stream>>>(‹{{ pass.fields | join(', ', 'name') }}, count›);
  return cudaGetLastError();
}

// The dtypes to compile for.
{{ cpp.instantiated(item, item.cuda_types) | trim }}
{{ '#endif\n' if build == 'nvrtc' }}
}  // namespace {{ project }}
