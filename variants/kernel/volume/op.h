{% import pathjoin('languages', 'cpp.jinja') as cpp %}
// `{{ item.name }}`: its math, the same on CPU and GPU.
{{ cpp.renamed(item) -}}
#pragma once

#include "../kit/compute.h"

namespace {{ project }} {

// EDIT: one voxel of the result. T is float, for int32 double. Call the functions of <math.h>
// without std::, as in exp(x). Write constants as T(0.5): with a plain 0.5, float math is computed
// in double.
{% for line in item.comment %}
{{ line }}
{% endfor %}
template <typename T>
HOST_DEVICE void {{ item.name }}_element(‹{{ cpp.list(item.passes[0].fields, cpp.element_parameter) }}›) {
{% for line in item.math %}
  {{ line }}
{% endfor %}
}

}  // namespace {{ project }}
