// `{{ item.name }}`: its math, the same on CPU and GPU.
{{ cpp.renamed(item) -}}
#pragma once

#include "../kit/compute.h"

namespace {{ project }} {

// T is float or double. Call rsqrt and the functions of <math.h> without std::, as in exp(x). Write
// constants as T(0.5): with a plain 0.5, float math is computed in double.
// As in C, fmax and fmin drop a NaN, which torch.maximum and torch.clamp keep.
{% for pass in item.passes %}

// EDIT: {{ 'one element of `%s`, given its old value and the element of the product' % pass.row_out.name
  if loop.first and item.written else 'one element of the result, given the element of the product' if loop.first
  else 'the gradient of the product%s, given grad_out' % (' and of tensors with an element for each column'
  if item.columns) }}.
template <typename T>
HOST_DEVICE void {{ pass.name }}_element(‹{{ cpp.list(pass.element_fields, cpp.element_parameter) }}›) {
  {{ pass.math | join('\n  ') }}
}
{% endfor %}

}  // namespace {{ project }}
