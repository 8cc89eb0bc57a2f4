{% import pathjoin('languages', 'cpp.jinja') as cpp %}
// What the kernels of `{{ item.name }}` get: the other files of this folder fill it in and read it. It is not beside the math, so that an edit of the math leaves {{ item.name }}.cpp, the slowest file, alone.
#pragma once

{% if item.bounds %}
#include <optional>

{% endif %}
#include "../kernels.h"

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T{{ ', typename Out' if pass.typed }}>
struct {{ pass.class_name }}Args {
{% for x in pass.fields %}
  {{ cpp.member(x) }};
{% endfor %}
{% include pathjoin('variants', 'kernel', item.kernel, 'op_args.h') %}

  void run_on_cpu(int64_t begin, int64_t end) const;
{% if item.bounds %}
  void range_on_cpu(int64_t begin, int64_t end, double* range) const;
{% endif %}
#ifdef USE_CUDA
  cudaError_t run_on_gpu(cudaStream_t stream) const;
#endif
};
{% endfor %}

}  // namespace {{ project }}
