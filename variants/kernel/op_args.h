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
{% if item.kernel == 'elementwise' %}
  int64_t numel;
{% elif item.kernel == 'rowwise' %}
{% if pass.sums %}
  int64_t count, size, parts;
{% else %}
  int64_t count, size;
{% endif %}
{% elif item.kernel == 'matmul' %}
{% if pass.name == item.name %}
  const opmath_t<T>* product;  // on the CPU: computed by PyTorch
  opmath_t<T>* partial;        // on a GPU: products of parts of the depth
  int64_t rows, columns, depth, parts;
{% else %}
  int64_t count, size, parts;
{% endif %}
{% elif item.kernel == 'image' %}
  int64_t count;
{% elif item.kernel == 'volume' %}
{% if item.bounds %}
  void* ranges;  // on a GPU: memory to find absent bounds in
{% endif %}
  int64_t numel;
{% endif %}

  void run_on_cpu(int64_t begin, int64_t end) const;
{% if item.bounds %}
  void range_on_cpu(int64_t begin, int64_t end, double* range) const;
{% endif %}
  cudaError_t run_on_gpu(cudaStream_t stream) const;
};
{% endfor %}

}  // namespace {{ project }}
