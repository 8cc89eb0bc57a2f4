{% set pass = item.passes[0] %}
{% set first = item.first %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
#include "../tensors.h"

namespace {{ project }} {

// ---- The kernels, which the _cpu.cpp and the _cuda.cu in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.

int64_t {{ item.name }}_channels_in();
int64_t {{ item.name }}_channels_out();

template <typename T>
void {{ item.name }}_cpu({{ pass.pointers }}, int64_t begin, int64_t end);

#ifdef USE_CUDA
template <typename T>
cudaError_t launch_{{ item.name }}({{ pass.pointers }}, int64_t count, cudaStream_t stream);
#endif

// ---- The operator, for tensors

Tensor {{ item.name }}({{ pass.parameters }}) {
  constexpr Dtypes<{{ item.cpu_types | join(', ') }}> dtypes{};
  check_dtype(dtypes, "{{ item.name }}", "{{ first }}", {{ first }}, "{{ item.dtype_words }}");
  const int64_t channels = {{ item.name }}_channels_in();
  check_channels("{{ item.name }}", "{{ first }}", {{ first }}, channels);
  {{ first }} = as_contiguous({{ first }});
  Tensor {{ item.results[0] }} = empty_pixels({{ first }}, {{ item.name }}_channels_out());
  const int64_t count = {{ first }}.numel() / channels;

  for_dtype_of(dtypes, {{ first }}, count, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
      parallel_for(count, [&](int64_t begin, int64_t end) {
        {{ item.name }}_cpu({{ pass.data }}, begin, end);
      });
      return;
    }
{% set launch_data = pass.cuda_data ~ ', count' %}
{% include pathjoin('variants', 'kernel', 'launch.cpp') %}

}  // namespace {{ project }}
