// `{{ item.name }}`: its math, the same on CPU and GPU.
{{ cpp.renamed(item) -}}
#pragma once

#include "../kit/compute.h"

namespace {{ project }} {

// T is float or double. Call rsqrt and the functions of <math.h> without std::, as in exp(x). Write
// constants as T(0.5): with a plain 0.5, float math is computed in double.
// As in C, fmax and fmin drop a NaN, which torch.maximum and torch.clamp keep.
{% for pass in item.passes %}

// EDIT: {{ pass.edit }}.
template <typename T>
HOST_DEVICE void {{ pass.name }}_element(‹{{ cpp.list(pass.element_fields, cpp.field, 'element_parameter') }}›) {
  {{ pass.math | join('\n  ') }}
}
{% endfor %}

}  // namespace {{ project }}
