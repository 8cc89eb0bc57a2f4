// `muladd`: its math, the same on CPU and GPU.
#pragma once

#include "../kit/compute.h"

namespace my_ops {

// T is float or double. Call rsqrt and the functions of <math.h> without std::, as in exp(x). Write
// constants as T(0.5): with a plain 0.5, float math is computed in double.
// As in C, fmax and fmin drop a NaN, which torch.maximum and torch.clamp keep.

// EDIT: one element of the result.
template <typename T>
HOST_DEVICE void muladd_element(T a, T b, T c, T& out) {
  out = a * b + c;
}

// EDIT: the gradient, given grad_out.
template <typename T>
HOST_DEVICE void muladd_backward_element(T grad_out, T a, T b, T c, T& grad_a, T& grad_b) {
  grad_a = grad_out * b;
  grad_b = grad_out * a;
}

}  // namespace my_ops
