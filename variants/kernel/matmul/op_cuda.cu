// `{{ item.name }}` on the GPU. nvcc compiles the kernels for float32
// and float64 here and for the 16-bit types in the other file, both at once.
#include "{{ item.name }}.cuh"

#ifndef __CUDACC_RTC__
namespace {{ project }} {

{% for pass in item.passes %}
template struct {{ pass.class_name }}Args<float>;
template struct {{ pass.class_name }}Args<double>;
{% endfor %}

}  // namespace {{ project }}
#endif
