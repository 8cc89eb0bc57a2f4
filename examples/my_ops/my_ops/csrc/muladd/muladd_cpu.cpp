// `muladd` on the CPU.
#include "muladd.h"

#include "../cpu_tile.h"

namespace my_ops {

// A tile is what one step handles: 32 elements of each tensor, of which the compiler makes vector
// instructions, or one of those that are left. for_tile in cpu_tile.h decides which.

template <typename T>
void muladd_cpu(const T* a, const T* b, double c, T* out, int64_t begin, int64_t end) {
  for_tile<T>(begin, end, [&](auto tile) {
    compute_t<T> a_values[tile.kSize];
    compute_t<T> b_values[tile.kSize];
    compute_t<T> out_values[tile.kSize];
    tile.load(a, a_values);
    tile.load(b, b_values);
    for (int i = 0; i < tile.kSize; ++i) {
      muladd_element<compute_t<T>>(a_values[i], b_values[i], c, out_values[i]);
    }
    tile.store(out, out_values);
  });
}

template <typename T>
void muladd_backward_cpu(
    const T* grad_out,
    const T* a,
    const T* b,
    double c,
    T* grad_a,
    T* grad_b,
    int64_t begin,
    int64_t end) {
  for_tile<T>(begin, end, [&](auto tile) {
    compute_t<T> grad_out_values[tile.kSize];
    compute_t<T> a_values[tile.kSize];
    compute_t<T> b_values[tile.kSize];
    compute_t<T> grad_a_values[tile.kSize];
    compute_t<T> grad_b_values[tile.kSize];
    tile.load(grad_out, grad_out_values);
    tile.load(a, a_values);
    tile.load(b, b_values);
    for (int i = 0; i < tile.kSize; ++i) {
      muladd_backward_element<compute_t<T>>(
          grad_out_values[i], a_values[i], b_values[i], c, grad_a_values[i], grad_b_values[i]);
    }
    if (grad_a) tile.store(grad_a, grad_a_values);
    if (grad_b) tile.store(grad_b, grad_b_values);
  });
}

// The dtypes it is compiled for.
#define INSTANTIATE(T) \
  template void muladd_cpu(const T*, const T*, double, T*, int64_t, int64_t); \
  template void muladd_backward_cpu(const T*, const T*, const T*, double, T*, T*, int64_t, int64_t);

INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(c10::Half)
INSTANTIATE(c10::BFloat16)
#undef INSTANTIATE

}  // namespace my_ops
