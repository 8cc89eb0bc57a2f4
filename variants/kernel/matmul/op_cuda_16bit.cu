// `{{ item.name }}` on the GPU for float16 and bfloat16.
#include "{{ item.name }}.cuh"

#ifndef __CUDACC_RTC__
namespace {{ project }} {

INSTANTIATE_{{ item.name | upper }}(__half)
INSTANTIATE_{{ item.name | upper }}(__nv_bfloat16)

}  // namespace {{ project }}
#endif
