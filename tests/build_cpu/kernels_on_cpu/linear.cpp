// Launches the kernels of linear for all dtypes, on sizes around those of tiles and on pointers that are aligned or
// not, and compares every element with double precision. Around tensors and in outputs there are NaN.
#include "linear.cuh"

#include "tensors.h"

namespace my_ops {

template <typename T>
void check(int64_t rows, int64_t columns, int64_t depth, int64_t parts, int shift) {
  const double scale = 1.5;
  Tensor<T> a(rows * depth, shift, false), b(depth * columns, shift, false), bias(columns, shift, false);
  Tensor<T> out(rows * columns, shift, true);
  Tensor<opmath_t<T>> partial(rows * columns * parts, 0, true);
  const LinearArgs<T> args{
      a.start, b.start, bias.start, scale, out.start, nullptr, partial.start, rows, columns, depth, parts};
  args.run_on_gpu(nullptr);
  out.check_around();
  partial.check_around();
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      double product = 0;
      for (int64_t k = 0; k < depth; ++k) product += a[i * depth + k] * b[k * columns + j];
      compare<T>("out", out[i * columns + j], product * scale + bias[j], depth + 2, i, j);
    }
  }

  Tensor<T> grad_out(rows * columns, shift, false);
  Tensor<opmath_t<T>> product(rows * columns, 0, false);
  Tensor<T> grad_product(rows * columns, shift, true), grad_bias(columns, shift, true);
  Tensor<opmath_t<T>> sums(parts * columns, 0, true);
  LinearBackwardArgs<T> backward{
      grad_out.start, product.start, bias.start, scale, grad_product.start, sums.start, grad_bias.start, rows,
      columns, parts};
  backward.run_on_gpu(nullptr);
  grad_product.check_around();
  grad_bias.check_around();
  for (int64_t j = 0; j < columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < rows; ++i) {
      sum += grad_out[i * columns + j];
      compare<T>("grad_product", grad_product[i * columns + j], grad_out[i * columns + j] * scale, 1, i, j);
    }
    compare<T>("grad_bias", grad_bias[j], sum, rows, 0, j);
  }

  // Without the gradient of the columns, and without that of the product.
  Tensor<T> product_alone(rows * columns, shift, true), bias_alone(columns, shift, true);
  backward.grad_product = product_alone.start;
  backward.bias_sums = nullptr;
  backward.grad_bias = nullptr;
  backward.run_on_gpu(nullptr);
  backward.grad_product = nullptr;
  backward.bias_sums = sums.start;
  backward.grad_bias = bias_alone.start;
  backward.run_on_gpu(nullptr);
  for (int64_t i = 0; i < rows * columns; ++i) {
    compare<T>("grad_product alone", product_alone[i], grad_product[i], 0, i / columns, i % columns);
  }
  for (int64_t j = 0; j < columns; ++j) compare<T>("grad_bias alone", bias_alone[j], grad_bias[j], 0, 0, j);
}

template <typename T>
void check_all() {
  for (const int64_t parts : {1, 1, 3}) {
    processors = one_of({1, 100});
    // Whole tiles, a part of one with 16 bytes each, and any.
    check<T>(one_of({128, 256}), one_of({64, 192}), one_of({64, 128}), parts, 0);
    check<T>(1 + random_bits() % 200, 8 * (1 + random_bits() % 20), 8 * (random_bits() % 30), parts, 0);
    check<T>(1 + random_bits() % 100, 1 + random_bits() % 100, random_bits() % 100, parts, 0);
    check<T>(1 + random_bits() % 20, 8 * (1 + random_bits() % 5), 8, parts, 1);
  }
}

}  // namespace my_ops

int main(int, char** arguments) {
  my_ops::check_dtypes(arguments[1], [](auto zero) { my_ops::check_all<decltype(zero)>(); });
}
