// `{{ item.name }}` on the GPU for float16 and bfloat16.
#include "{{ item.name }}.cuh"

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
namespace {{ project }} {

{% for pass in item.passes %}
template struct {{ pass.class_name }}Args<__half>;
template struct {{ pass.class_name }}Args<__nv_bfloat16>;
{% endfor %}

}  // namespace {{ project }}
{{ '#endif\n' if build == 'nvrtc' -}}
