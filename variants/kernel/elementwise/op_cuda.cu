// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../kit/tile.cuh"
{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
#include "{{ item.name }}_args.h"
{{ '#endif\n' if build == 'nvrtc' }}
namespace {{ project }} {

// ---- Kernels. Each thread handles one tile; for_tile in tile.cuh chooses its accesses.
{% for pass in item.passes %}

template <bool kWhole, typename T{{ ', typename Out' if pass.typed }}>
__global__ void __launch_bounds__(kBlockSize) {{ pass.name }}_kernel(‹{{ cpp.list(pass.fields,
  cpp.field, 'parameter') }}, int64_t numel›) {
  const bool aligned = all_aligned(‹{{ (pass.reads + pass.writes) | join(', ', 'name') }}›);
  for_tile<kWhole, T>(numel, aligned, [&](auto tile) {
    {{ cpp.each(pass.reads + pass.writes, 'opmath_t<T> {bare}_values[tile.kSize];') | indent }}
    {{ cpp.each(pass.inputs, '{guard}tile.load({name}, {bare}_values);') | indent }}
#pragma unroll
    for (int i = 0; i < tile.kSize; ++i) { {{- cpp.pointers(pass.fields, 6, value='opmath_t<T>') }}
      {{ pass.name }}_element<opmath_t<T>>(‹{{ cpp.list(pass.fields, cpp.field, 'element_value') }}›);
    }
    {{ cpp.each(pass.outputs, '{guard}tile.store({name}, {bare}_values);') | indent }}
  });
}
{% endfor %}

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
// ---- Launchers
{% for pass in item.passes %}

template <typename T{{ ', typename Out' if pass.typed }}>
cudaError_t {{ pass.class_name }}Args<T{{ ', Out' if pass.typed }}>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = all_aligned(‹{{ (pass.reads + pass.writes) | join(', ', 'name') }}›);
  auto kernel = {{ pass.name }}_kernel<false, T{{ ', Out' if pass.typed }}>;
  if (aligned && numel % kBlockElements<T> == 0) kernel = {{ pass.name }}_kernel<true, T{{
    ', Out' if pass.typed }}>;
  kernel<<<grid_size<T>(numel), kBlockSize, 0, stream>>>(‹{{ pass.fields | join(', ', 'name') }}, numel›);
  return cudaGetLastError();
}
{% endfor %}

{{ cpp.instantiated(item, item.cuda_types if item.dtype else []) | trim }}
{{ '#endif\n' if build == 'nvrtc' }}
}  // namespace {{ project }}
