{% from pathjoin('questions', 'dtypes.jinja') import named_list %}
// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

namespace {{ project }} {

// EDIT: the kernel{{ '; `_call` in ops/%s.py has the grid and the blocks' % item.name if build == 'nvrtc'
  else ', its grid and its blocks' }}. Here a thread computes an element of {{
  named_list(item.outputs if item.uneven else [item.first_output]) }}.
{{ item.template -}}
__global__ void {{ item.name }}_kernel({{ item.args_type }} args) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < args.{{ item.counted }}) {{ item.name }}_thread(i, args);
}
{% if build != 'nvrtc' %}
{% if item.shapes.asked %}
{% set memory = item.shapes.tensors | selectattr('asked') | map(attribute='name') | join('` and `') %}

// EDIT: set `{{ item.shapes.asked | join('` and `') }}`, which determine{{ 's'
  if item.shapes.asked | length == 1 }} the number of elements of `{{ memory }}`. `{{
  memory }}` is still null here, as in the first call of a function of CUB. {{
  "CUB's function sets a size_t: pass it a local variable." }}
{{ item.template -}}
cudaError_t {{ item.args_type }}::sizes_on_gpu([[maybe_unused]] cudaStream_t stream) {
  {{ item.shapes.asked | map('regex_replace', '$', ' = 0;') | join('\n  ') }}
  return cudaSuccess;
}
{% endif %}

{{ item.template -}}
cudaError_t {{ item.args_type }}::run_on_gpu(cudaStream_t stream) const {
  constexpr unsigned block = 256;
  const auto grid = static_cast<unsigned>(({{ item.counted }} + block - 1) / block);
  {{ item.name }}_kernel<<<grid, block, 0, stream>>>(*this);
  return cudaGetLastError();
}
{% include pathjoin('variants', 'kernel', 'custom', 'instantiate.h') %}
{% endif %}

}  // namespace {{ project }}
