// The arguments of the kernels of `{{ item.name }}`.
#pragma once

{{ '#include <optional>\n\n' if item.bounds -}}
#include "../kit/compute.h"

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T{{ ', typename Out' if pass.typed }}>
struct {{ pass.class_name }}Args {
{% for x in pass.fields %}
  {{ cpp.field(x, 'member') }};
{% endfor %}
  {{ pass.members | join('\n  ') }}

  void run_on_cpu(int64_t begin, int64_t end) const;{{
    '\n  void range_on_cpu(int64_t begin, int64_t end, double* range) const;' if item.bounds }}
  cudaError_t run_on_gpu(cudaStream_t stream) const;
};
{% endfor %}

}  // namespace {{ project }}
