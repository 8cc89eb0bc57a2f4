// `{{ item.name }}`: its math, the same on CPU and GPU.
{{ cpp.renamed(item) -}}
#pragma once

#include "../kit/compute.h"

namespace {{ project }} {

// EDIT: the number of channels of the image and of the result. ops/{{ item.name }}.py has the same
// numbers.
struct {{ item.class_name }}Channels {
  static constexpr int kIn = 3;
  static constexpr int kOut = 1;
};

// EDIT: one pixel of the result. T is float, even for uint8: a result is then rounded to nearest
// even and clamped to [0, 255]. Call the functions of <math.h> without std::. Write constants
// as T(0.5): with a plain 0.5, float math is computed in double.
//
// Luma as in ITU-R BT.601, https://www.itu.int/rec/R-REC-BT.601, section 2.5.1.
template <typename T>
HOST_DEVICE void {{ item.name }}_element(‹const T* {{ item.first }}, {{ cpp.list(item.numbers, cpp.field,
  'element_parameter') ~ (', ' if item.numbers) }}T* {{ item.results[0] }}›) {
  {{ item.math | join('\n  ') }}
}

}  // namespace {{ project }}
