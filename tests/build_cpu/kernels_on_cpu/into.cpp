// Launches the kernels of into, alpha * product + beta * c, for all dtypes and sizes near the tile sizes, and compares
// every element with double precision. Around tensors there are NaN, which a read beyond c would bring in.
#include "into.cuh"

#include "tensors.h"

namespace my_ops {

template <typename T>
void check(int64_t rows, int64_t columns, int64_t depth, int64_t parts, int shift) {
  const double alpha = 1.5, beta = -2;
  Tensor<T> a(rows * depth, shift, false), b(depth * columns, shift, false), c(rows * columns, shift, false);
  Tensor<opmath_t<T>> partial(rows * columns * parts, 0, true);
  std::vector<double> before;
  for (int64_t i = 0; i < rows * columns; ++i) before.push_back(c[i]);
  const IntoArgs<T> args{
      a.start, b.start, alpha, beta, c.start, nullptr, partial.start, rows, columns, depth, parts};
  args.run_on_gpu(nullptr);
  c.check_around();
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      double product = 0;
      for (int64_t k = 0; k < depth; ++k) product += a[i * depth + k] * b[k * columns + j];
      const int64_t at = i * columns + j;
      compare<T>("c", c[at], product * alpha + beta * before[at], depth + 4, i, j);
    }
  }
}

template <typename T>
void check_all() {
  for (const int64_t parts : {1, 3}) {
    processors = one_of({1, 100});
    check<T>(one_of({128, 256}), one_of({64, 192}), 64, parts, 0);
    check<T>(1 + random_bits() % 200, 8 * (1 + random_bits() % 20), 8 * (random_bits() % 10), parts, 0);
    check<T>(1 + random_bits() % 100, 1 + random_bits() % 100, random_bits() % 50, parts, 0);
    check<T>(1 + random_bits() % 20, 8 * (1 + random_bits() % 5), 8, parts, 1);
  }
}

}  // namespace my_ops

int main(int, char** arguments) {
  my_ops::check_dtypes(arguments[1], [](auto zero) { my_ops::check_all<decltype(zero)>(); });
}
