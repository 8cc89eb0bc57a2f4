{% set headers = (item.types + item.fields | map(attribute='type') | list) | join(' ') | regex_findall('c10::(\\w+)')
  | unique | sort %}
{% set template = '' if item.fixed else 'template <typename scalar_t>\n' %}
// `{{ item.name }}`: what its kernels get. {{ item.name }}.cpp fills it in.
#pragma once

{% for type in headers %}
#include <torch/headeronly/util/{{ type }}.h>
{% endfor %}
{{ '\n' if headers -}}
#include "../kernels.h"

namespace {{ project }} {

{% if not item.fixed %}
// EDIT: the dtypes of `{{ item.typed }}` that it is compiled for; ops/{{ item.name }}.py has them too.
#define {{ item.list_name }}(DO){% for type in item.types %} DO({{ type }}){% endfor %}


{% endif %}
{{ template -}}
struct {{ item.class_name }}Args {
{% for x in item.fields %}
  {{ x.type }} {{ x.name }};
{% endfor %}

  void run_on_cpu(int64_t begin, int64_t end) const;
#ifdef USE_CUDA
  cudaError_t run_on_gpu(cudaStream_t stream) const;
#endif
};

}  // namespace {{ project }}
