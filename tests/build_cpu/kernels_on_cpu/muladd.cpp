// Launches the kernels of muladd for all dtypes, on sizes around those of a block and on pointers that
// are aligned or not, and compares every element with double precision. Memory is as long as needed and
// no longer, for AddressSanitizer to see what lies beyond, and outputs are poisoned before.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "muladd_cuda.cu"

namespace my_ops {

std::mt19937 random_bits;
long elements = 0;

template <typename T>
struct Tensor {
  // The first `shift` elements are not part of it.
  Tensor(int64_t numel, int shift, bool poisoned)
      : memory(static_cast<T*>(std::malloc((shift + numel) * sizeof(T)))), data(memory + shift) {
    std::uniform_real_distribution<float> values(-2, 2);
    for (int64_t i = 0; i < numel; ++i) {
      data[i] = from_opmath<T>(poisoned ? NAN : values(random_bits));
    }
  }
  Tensor(const Tensor&) = delete;
  ~Tensor() { std::free(memory); }

  double operator[](int64_t i) const { return to_opmath(data[i]); }

  T* memory;
  T* data;
};

template <typename T>
void compare(const char* output, double actual, double expected, int64_t i, int64_t numel) {
  const double epsilon = sizeof(T) == 8 ? 1e-15 : sizeof(T) == 4 ? 1e-6 : 1e-2;
  ++elements;
  if (std::fabs(actual - expected) <= epsilon * (1 + std::fabs(expected))) return;
  std::printf(
      "%s of %zu-byte elements: element %ld of %ld is %g, not %g\n", output, sizeof(T), i, numel,
      actual, expected);
  std::exit(1);
}

template <typename T>
void check(int64_t numel, const std::vector<int>& shifts) {
  const double c = 1.5;
  const Tensor<T> grad_out(numel, shifts[0], false), a(numel, shifts[1], false);
  const Tensor<T> b(numel, shifts[2], false), out(numel, shifts[3], true);
  const Tensor<T> grad_a(numel, shifts[3], true), grad_b(numel, shifts[4], true);
  MuladdArgs<T>{a.data, b.data, c, out.data, numel}.run_on_gpu(nullptr);
  MuladdBackwardArgs<T>{grad_out.data, a.data, b.data, c, grad_a.data, grad_b.data, numel}.run_on_gpu(nullptr);
  for (int64_t i = 0; i < numel; ++i) {
    compare<T>("out", out[i], a[i] * b[i] + c, i, numel);
    compare<T>("grad_a", grad_a[i], grad_out[i] * b[i], i, numel);
    compare<T>("grad_b", grad_b[i], grad_out[i] * a[i], i, numel);
  }
}

template <typename T>
void check_all() {
  const int64_t block = kBlockElements<T>;
  for (const int64_t numel : {int64_t(1), block - 1, block, block + 1, 3 * block, 3 * block + 5}) {
    for (unsigned int shifted = 0; shifted < 32; ++shifted) {
      std::vector<int> shifts;
      for (int tensor = 0; tensor < 5; ++tensor) shifts.push_back(shifted >> tensor & 1);
      check<T>(numel, shifts);
    }
  }
  for (int i = 0; i < 50; ++i) {
    std::vector<int> shifts;
    for (int tensor = 0; tensor < 5; ++tensor) shifts.push_back(random_bits() % 9);
    check<T>(1 + random_bits() % 9000, shifts);
  }
}

}  // namespace my_ops

int main(int, char** arguments) {
  my_ops::random_bits.seed(std::stoul(arguments[1]));
  my_ops::check_all<float>();
  my_ops::check_all<double>();
  my_ops::check_all<__half>();
  my_ops::check_all<__nv_bfloat16>();
  std::printf("%ld elements\n", my_ops::elements);
}
