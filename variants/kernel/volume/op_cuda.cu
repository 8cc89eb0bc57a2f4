// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../kit/voxel.cuh"
{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
#include "{{ item.name }}_args.h"
{{ '#endif\n' if build == 'nvrtc' }}
namespace {{ project }} {

template <bool kAligned, typename T>
__global__ void __launch_bounds__(kVoxelBlock) {{ item.name }}_kernel(‹const T* __restrict__ {{ item.first }}, {{
  item.bounds | map('regex_replace', '(.+)', 'const opmath_t<T>* __restrict__ own_\\1, ') | join
  ~ cpp.list(item.numbers | map('combine', {'absent': false}) | list, cpp.field, 'member') ~ (', ' if item.numbers)
  }}float* __restrict__ {{ item.results[0] }}, int64_t numel›) {
  using Value = opmath_t<T>;
{% for bound in item.bounds %}
  Value {{ bound }}_bound = {{ bound }};
  if (own_{{ bound }}) {{ bound }}_bound = *own_{{ bound }};
{% endfor %}
  const auto element = [&](Value voxel, Value& result) {
    {{ item.name }}_element<Value>(‹{{ (['voxel'] + item.math_args + ['result']) | join(', ') }}›);
  };
  for_voxels<kAligned>({{ item.first }}, {{ item.results[0] }}, numel, element);
}

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
template <typename T>
cudaError_t {{ item.class_name }}Args<T>::run_on_gpu(cudaStream_t stream) const {
{% if item.bounds %}
  // Absent bounds are computed first. They stay on the GPU, where the kernel reads them.
  using Value = opmath_t<T>;
  Value* const range = static_cast<Value*>(ranges);
  if (range) launch_find_range(‹{{ item.first }}, range, numel, stream›);
{% endif %}
{% for bound in item.bounds %}
  const Value* own_{{ bound }} = nullptr;
  if (!{{ bound }}) own_{{ bound }} = range{{ ' + 1' if loop.index0 }};
{% endfor %}
  const bool aligned = voxels_aligned({{ item.first }});
  auto kernel = {{ item.name }}_kernel<false, T>;
  if (aligned) kernel = {{ item.name }}_kernel<true, T>;
  kernel<<<voxel_blocks(numel), kVoxelBlock, 0, stream>>>(‹{{ ([item.first]
    + item.bounds | map('regex_replace', '^', 'own_') | list + item.numbers | map(attribute='name')
    | map('regex_replace', '^(%s)$' % item.bounds | join('|'), '\\1.value_or(0)') | list
    + [item.results[0]]) | join(', ') }}, numel›);
  return cudaGetLastError();
}

// The dtypes to compile for.
{{ cpp.instantiated(item, item.cuda_types) | trim }}
{{ '#endif\n' if build == 'nvrtc' }}
}  // namespace {{ project }}
