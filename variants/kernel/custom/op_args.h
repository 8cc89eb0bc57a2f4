{% set headers = (item.types + item.fields | map(attribute='type') | list) | join(' ') | regex_findall('c10::(\\w+)') | unique | sort %}
{% set template = '' if item.fixed else 'template <typename scalar_t>\n' %}
// `{{ item.name }}`: what its kernels get. {{ item.name }}.cpp fills it in.
#pragma once

{% for type in headers %}
#include <torch/headeronly/util/{{ type }}.h>
{% endfor %}
{{ '\n' if headers -}}
#include <cstdint>

#ifdef USE_CUDA
#include <cuda_runtime_api.h>
#endif

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
};

{{ template -}}
void {{ item.name }}_cpu(const {{ item.args_type }}& args, int64_t begin, int64_t end);
#ifdef USE_CUDA
{{ template -}}
cudaError_t launch_{{ item.name }}(const {{ item.args_type }}& args, int64_t num_threads, cudaStream_t stream);
#endif

}  // namespace {{ project }}
