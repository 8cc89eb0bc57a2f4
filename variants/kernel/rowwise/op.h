// `{{ item.name }}`: its math, the same on CPU and GPU.
{{ cpp.renamed(item) -}}
#pragma once

#include "../kit/compute.h"

namespace {{ project }} {

// T is float or double. Call rsqrt and the functions of <math.h> without std::, as in exp(x). Write
// constants as T(0.5): with a plain 0.5, float math is computed in double.
// As in C, fmax and fmin drop a NaN, which torch.maximum and torch.clamp keep.

// EDIT: the values of a row that all of its elements need.
template <typename T>
struct {{ item.class_name }}Row {
  T scale;
};

// EDIT: the state of some elements of a row. Each thread adds its own elements to an initial state,
// in any order, and then the states of the threads are merged. merge must accept initial states,
// even on both sides. A row is read only once: compute a variance with Welford's algorithm, and a
// softmax with a finite initial maximum and a sum that is rescaled when the maximum grows.
template <typename T>
struct {{ item.class_name }}State {
  T squares = 0;

  HOST_DEVICE void add(T {{ item.first }}) {
    squares += {{ item.first }} * {{ item.first }};
  }

  HOST_DEVICE void merge(const {{ item.class_name }}State& other) {
    squares += other.squares;
  }

  // EDIT: the values of a row of `size` elements, from its state.
  HOST_DEVICE void finish(‹{{ cpp.list(item.finish_fields,
    cpp.field, 'element_parameter') }}, {{ item.class_name }}Row<T>& row›) {
    {{ item.finish | join('\n    ') }}
  }
};

// EDIT: one element of the result.
template <typename T>
HOST_DEVICE void {{ item.passes[0].name }}_element(‹{{ cpp.list(item.passes[0].element_fields,
  cpp.field, 'element_parameter') }}›) {
  {{ item.passes[0].math | join('\n  ') }}
}
{% for pass in item.passes[1:] %}

// EDIT: the same for the gradient.
template <typename T>
struct {{ item.class_name }}BackwardRow {
  {{ item.class_name }}Row<T> forward;
  T slope;
};

template <typename T>
struct {{ item.class_name }}BackwardState {
  {{ item.class_name }}State<T> forward;
  T dot = 0;

  HOST_DEVICE void add(‹{{ cpp.list(pass.added, cpp.field, 'element_parameter') }}›) {
    forward.add({{ item.first }});
    {{ pass.add | join('\n    ') }}
  }

  HOST_DEVICE void merge(const {{ item.class_name }}BackwardState& other) {
    forward.merge(other.forward);
    dot += other.dot;
  }

  HOST_DEVICE void finish(‹{{ cpp.list(item.finish_fields,
    cpp.field, 'element_parameter') }}, {{ item.class_name }}BackwardRow<T>& row›) {
    forward.finish(‹{{ item.finish_fields | join(', ', 'name') }}, row.forward›);
    const T scale = row.forward.scale;
    row.slope = scale * scale * scale * dot / size;
  }
};

template <typename T>
HOST_DEVICE void {{ pass.name }}_element(‹{{ cpp.list(pass.element_fields, cpp.field, 'element_parameter') }}›) {
  {{ pass.math | join('\n  ') }}
}
{% endfor %}

}  // namespace {{ project }}
