{% import pathjoin('languages', 'cpp.jinja') as cpp %}
// The arguments of the kernels of `{{ item.name }}`.
#pragma once

{% if item.bounds %}
#include <optional>

{% endif %}
#include "../kit/compute.h"

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T{{ ', typename Out' if pass.typed }}>
struct {{ pass.class_name }}Args {
{% for x in pass.fields %}
  {{ cpp.member(x) }};
{% endfor %}
  {{ pass.members | join('\n  ') }}

  void run_on_cpu(int64_t begin, int64_t end) const;
{% if item.bounds %}
  void range_on_cpu(int64_t begin, int64_t end, double* range) const;
{% endif %}
  cudaError_t run_on_gpu(cudaStream_t stream) const;
};
{% endfor %}

}  // namespace {{ project }}
