// `muladd` on the CPU. Each step handles one tile; for_tile in cpu_tile.h chooses its size.
#include "muladd.h"

#include "../kit/cpu_tile.h"
#include "muladd_args.h"

namespace my_ops {

template <typename T>
void MuladdArgs<T>::run_on_cpu(int64_t begin, int64_t end) const {
  for_tile<T>(begin, end, [&](auto tile) {
    const auto a_values = tile.load(a);
    const auto b_values = tile.load(b);
    Values<T, tile.kSize> out_values;
    for (int i = 0; i < tile.kSize; ++i) {
      muladd_element<opmath_t<T>>(a_values[i], b_values[i], c, out_values[i]);
    }
    tile.store(out, out_values);
  });
}

template <typename T>
void MuladdBackwardArgs<T>::run_on_cpu(int64_t begin, int64_t end) const {
  for_tile<T>(begin, end, [&](auto tile) {
    const auto grad_out_values = tile.load(grad_out);
    const auto a_values = tile.load(a);
    const auto b_values = tile.load(b);
    Values<T, tile.kSize> grad_a_values;
    Values<T, tile.kSize> grad_b_values;
    for (int i = 0; i < tile.kSize; ++i) {
      muladd_backward_element<opmath_t<T>>(
          grad_out_values[i], a_values[i], b_values[i], c, grad_a_values[i], grad_b_values[i]);
    }
    if (grad_a) tile.store(grad_a, grad_a_values);
    if (grad_b) tile.store(grad_b, grad_b_values);
  });
}

INSTANTIATE_FLOATS(MuladdArgs);
INSTANTIATE_FLOATS(MuladdBackwardArgs);

}  // namespace my_ops
