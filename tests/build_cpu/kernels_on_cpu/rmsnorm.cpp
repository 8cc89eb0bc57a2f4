// Launches the kernels of rmsnorm for all dtypes, on rows of several lengths and on pointers that are aligned or not,
// and compares every element with double precision. Around tensors and in outputs there are NaN.
#include "rmsnorm_cuda.cu"

#include "tensors.h"

namespace my_ops {

template <typename T>
void check(int64_t count, int64_t size, int64_t blocks, int shift) {
  const double eps = 1e-3;
  Tensor<T> grad_out(count * size, shift, false), x(count * size, shift, false), weight(size, shift, false);
  Tensor<T> out(count * size, shift, true), grad_x(count * size, shift, true), grad_weight(size, shift, true);
  Tensor<opmath_t<T>> sums(blocks * size, 0, true);
  RmsnormArgs<T>{x.start, weight.start, eps, out.start, count, size}.run_on_gpu(nullptr);
  const RmsnormBackwardArgs<T> backward{
      grad_out.start, x.start, weight.start, eps, grad_x.start, sums.start, grad_weight.start, count, size, blocks};
  backward.run_on_gpu(nullptr);
  out.check_around();
  grad_x.check_around();
  sums.check_around();
  grad_weight.check_around();

  std::vector<long double> sum(size);
  for (int64_t row = 0; row < count; ++row) {
    const int64_t start = row * size;
    long double squares = 0, dot = 0;
    for (int64_t i = 0; i < size; ++i) {
      squares += x[start + i] * x[start + i];
      dot += grad_out[start + i] * weight[i] * x[start + i];
    }
    const double scale = 1 / std::sqrt(static_cast<double>(squares) / size + eps);
    const double slope = scale * scale * scale * static_cast<double>(dot) / size;
    for (int64_t i = 0; i < size; ++i) {
      const double element = x[start + i] * scale, gradient = grad_out[start + i];
      compare<T>("out", out[start + i], element * weight[i], 10, row, i);
      compare<T>("grad_x", grad_x[start + i], gradient * weight[i] * scale - x[start + i] * slope, 10, row, i);
      sum[i] += gradient * element;
    }
  }
  for (int64_t i = 0; i < size; ++i) compare<T>("grad_weight", grad_weight[i], sum[i], 10 * count, 0, i);
}

template <typename T>
void check_all() {
  const int blocks = one_of({1, 3});
  // Several rows in a block, one of whole warps, and one of several tiles, of which some are kept.
  check<T>(1 + random_bits() % 100, 1 + random_bits() % 100, blocks, 0);
  check<T>(1 + random_bits() % 100, 8 * (1 + random_bits() % 30), blocks, one_of({0, 1}));
  check<T>(1 + random_bits() % 4, 1 + random_bits() % 8000, blocks, 0);
  check<T>(1 + random_bits() % 4, 8 * (1 + random_bits() % 1000), blocks, 0);
  check<T>(2, one_of({40001, 70000}), 1, 0);
  // The least columns whose sums few threads add up, and more blocks than there are of these.
  check<T>(11, 32768, 11, 0);
}

}  // namespace my_ops

int main(int, char** arguments) {
  my_ops::check_dtypes(arguments[1], [](auto zero) { my_ops::check_all<decltype(zero)>(); });
}
