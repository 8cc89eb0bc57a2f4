// `{{ item.name }}` on the GPU{{ '' if build == 'nvrtc'
  else ' for float32 and float64. nvcc compiles %s_cuda_16bit.cu, for 16-bit dtypes, at the same time' % item.name }}.
#include "{{ item.name }}.cuh"

{% if build == 'nvrtc' %}
#ifndef __CUDACC_RTC__
{% endif %}
namespace {{ project }} {

{% for pass in item.passes %}
template struct {{ pass.class_name }}Args<float>;
template struct {{ pass.class_name }}Args<double>;
{% endfor %}

}  // namespace {{ project }}
{% if build == 'nvrtc' %}
#endif
{% endif %}
