// `{{ item.name }}` on the GPU for float32 and float64.
#include "{{ item.name }}.cuh"

#ifndef __CUDACC_RTC__
namespace {{ project }} {

INSTANTIATE_{{ item.name | upper }}(float)
INSTANTIATE_{{ item.name | upper }}(double)

}  // namespace {{ project }}
#endif
