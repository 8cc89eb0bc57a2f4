// `{{ item.name }}` on the GPU{{ '' if build == 'nvrtc'
  else ' for float32 and float64. nvcc compiles %s_cuda_16bit.cu, for 16-bit dtypes, at the same time' % item.name }}.
#include "{{ item.name }}.cuh"

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
namespace {{ project }} {

{{ cpp.instantiated(item, ['float', 'double']) | trim }}

}  // namespace {{ project }}
{{ '#endif\n' if build == 'nvrtc' -}}
