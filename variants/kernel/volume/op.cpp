{% set first = item.first %}
{% set out = item.results[0] %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% if item.bounds %}
#include "../voxel.h"

{% endif %}
#include "../tensors.h"

namespace {{ project }} {

// ---- The kernels, which the _cpu.cpp and the _cuda.cu in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.

template <typename T>
void {{ item.name }}_cpu({{ item.cpu_pointers }}, int64_t begin, int64_t end);
{% if item.bounds %}

template <typename T>
void {{ item.name }}_range_cpu(const T* {{ first }}, int64_t begin, int64_t end, double* range);
{% endif %}

#ifdef USE_CUDA
template <typename T>
cudaError_t launch_{{ item.name }}({{ item.launch_pointers }}, int64_t numel, cudaStream_t stream);
#endif

// ---- The operator, for tensors

Tensor {{ item.name }}({{ item.passes[0].parameters }}) {
  constexpr Dtypes<{{ item.cpu_types | join(', ') }}> dtypes{};
  check_dtype(dtypes, "{{ item.name }}", "{{ first }}", {{ first }}, "{{ item.dtype_words }}");
  {{ first }} = as_contiguous({{ first }});
  Tensor {{ out }} = empty_voxels({{ first }});
  const int64_t numel = {{ first }}.numel();
{% if item.bounds %}
  const bool own = {{ item.bounds | map('regex_replace', '^', '!') | join(' || ') }};
  std::optional<Tensor> ranges;
  if (own && !{{ first }}.is_cpu()) {
    ranges = empty_ranges({{ first }}, kRangeBlocks);
  }
{% endif %}

  for_dtype_of(dtypes, {{ first }}, numel, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
{% if item.bounds %}
      double range[2] = {};
      const auto find = [&](int64_t begin, int64_t end, double* part) {
        {{ item.name }}_range_cpu(const_data<T>({{ first }}), begin, end, part);
      };
      if (own) find_range(numel, range, find);
{% endif %}
      parallel_for(numel, [&](int64_t begin, int64_t end) {
        {{ item.name }}_cpu({{ item.cpu_data }}, begin, end);
      });
      return;
    }
{% set launch_data = item.launch_data ~ ', numel' %}
{% set pass = item.passes[0] %}
{% include pathjoin('variants', 'kernel', 'launch.cpp') %}

}  // namespace {{ project }}
