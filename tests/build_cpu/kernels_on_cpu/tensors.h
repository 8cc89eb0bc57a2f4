// Tensors for the kernels: on pointers that are aligned or not, with NaN around them and in outputs.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <vector>

namespace my_ops {

inline std::mt19937 random_bits;
inline long elements = 0;

template <typename T>
struct Tensor {
  static constexpr int kAround = 64;

  Tensor(int64_t numel, int shift, bool poisoned) : memory(kAround + shift + numel + kAround) {
    std::uniform_real_distribution<float> values(-1, 1);
    for (T& element : memory) element = from_opmath<T>(NAN);
    start = memory.data();
    while (reinterpret_cast<size_t>(start) % 16 != 0) ++start;
    start += shift;
    for (int64_t i = 0; i < numel && !poisoned; ++i) start[i] = from_opmath<T>(values(random_bits));
    size = numel;
  }

  double operator[](int64_t i) const { return to_opmath(start[i]); }
  void check_around() const {
    for (const T& element : memory) {
      const bool inside = &element >= start && &element < start + size;
      if (!inside && !std::isnan(to_opmath(element))) {
        std::printf("written beyond\n");
        std::exit(1);
      }
    }
  }

  std::vector<T> memory;
  T* start;
  int64_t size;
};

template <typename T>
void compare(const char* what, double actual, double expected, double size, int64_t i, int64_t j) {
  ++elements;
  const double epsilon = sizeof(T) == 8 ? 1e-14 : 1e-6;
  const double rounding = sizeof(T) == 2 ? 1e-2 : 0;
  const bool near = std::abs(actual - expected) <= epsilon * size + rounding * std::abs(expected);
  if (near) return;
  std::printf("%s of %zu bytes [%d, %d]: %.17g, not %.17g\n", what, sizeof(T), int(i), int(j), actual, expected);
  std::exit(1);
}

inline int one_of(std::initializer_list<int> values) {
  return values.begin()[random_bits() % values.size()];
}

// Calls check with a zero of each dtype, and prints how many elements were compared.
template <typename Check>
void check_dtypes(const char* seed, const Check& check) {
  random_bits.seed(std::strtoul(seed, nullptr, 10));
  check(float());
  check(double());
  check(__half());
  check(__nv_bfloat16());
  std::printf("%ld elements\n", elements);
}

}  // namespace my_ops
