// `{{ item.name }}` on the GPU for float16 and bfloat16.
#include "{{ item.name }}.cuh"

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
namespace {{ project }} {

{{ cpp.instantiated(item, ['__half', '__nv_bfloat16']) | trim }}

}  // namespace {{ project }}
{{ '#endif\n' if build == 'nvrtc' -}}
