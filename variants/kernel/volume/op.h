// `{{ item.name }}`: its math, the same on CPU and GPU.
{{ cpp.renamed(item) -}}
#pragma once

#include "../kit/compute.h"

namespace {{ project }} {

// EDIT: one voxel of the result. T is float, for int32 double. Call the functions of <math.h>
// without std::, as in exp(x). Write constants as T(0.5): with a plain 0.5, float math is computed
// in double.
{% if item.bounds | length == 2 %}
//
// A voxel that equals the lower bound is 0, even if the bounds are equal: no 0 / 0. On the CPU,
// this becomes vector instructions; with the division or a || inside of ? : it would not.
{% endif %}
template <typename T>
HOST_DEVICE void {{ item.name }}_element(‹{{ cpp.list(item.passes[0].fields, cpp.field, 'element_parameter') }}›) {
  {{ item.math | join('\n  ') }}
}

}  // namespace {{ project }}
