// Loops over tiles on the CPU.
#pragma once

#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>

#include <array>
#include <cstring>

#include "compute.h"

// The library is compiled for the oldest x86-64. A function with this attribute is compiled for
// CPUs with AVX2. All CPUs with AVX2 also have F16C, the conversions of float16.
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define AVX2_FUNCTION __attribute__((target("avx2,f16c")))
#endif

namespace KIT_NAMESPACE {

// The number of elements in a tile. It is small and known to the compiler, so that a loop over a
// tile becomes vector instructions, and the values stay in registers.
constexpr int kCpuTileSize = 32;

// The versions of a loop: with the vector instructions that every CPU has, with AVX2, or for one
// element at a time.
struct Baseline {
  static constexpr int kSize = kCpuTileSize, kRegisterBytes = 16;
};
struct Avx2 {
  static constexpr int kSize = kCpuTileSize, kRegisterBytes = 32;
};
struct Single {
  static constexpr int kSize = 1;
};

// ---- Conversions of a tile, rounded to nearest even

template <typename Isa, typename From, typename To>
void convert(Isa, const From* from, To* to) {
  for (int i = 0; i < Isa::kSize; ++i) {
    to[i] = static_cast<To>(static_cast<opmath_t<To>>(from[i]));
  }
}

#ifdef __GNUC__
// GCC would turn a plain loop into a call of memcpy, which moves the values from registers to
// memory.
template <typename Isa, typename T, int kBytes = Isa::kRegisterBytes>
void convert(Isa, const T* from, T* to) {
  using Register [[gnu::vector_size(kBytes)]] = T;
  for (size_t i = 0; i < kCpuTileSize; i += sizeof(Register) / sizeof(T)) {
    Register values;
    std::memcpy(&values, from + i, sizeof(values));
    std::memcpy(to + i, &values, sizeof(values));
  }
}
#endif

#ifdef AVX2_FUNCTION
// No compiler turns the bit operations of c10::Half into the instructions for float16.
AVX2_FUNCTION inline void convert(Avx2, const c10::Half* from, float* to) {
  for (int i = 0; i < kCpuTileSize; i += 8) {
    __m128i halves;
    std::memcpy(&halves, from + i, sizeof(halves));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
}

AVX2_FUNCTION inline void convert(Avx2, const float* from, c10::Half* to) {
  for (int i = 0; i < kCpuTileSize; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    std::memcpy(to + i, &halves, sizeof(halves));
  }
}
#endif

// The values of a tile, in the type to compute in.
template <typename T, int kSize>
using Values = std::array<opmath_t<T>, kSize>;

// A tile: kSize adjacent elements, from `first` on.
template <typename T, typename Isa>
struct CpuTile {
  static constexpr int kSize = Isa::kSize;
  int64_t first;

  template <typename From>
  Values<T, kSize> load(const From* from) const {
    Values<T, kSize> values;
    convert(Isa(), from + first, values.data());
    return values;
  }

  // Loads an optional tensor. If the tensor is absent, the values are 0, and nothing reads them.
  template <typename From>
  Values<T, kSize> load_optional(const From* from) const {
    Values<T, kSize> values{};
    if (from) convert(Isa(), from + first, values.data());
    return values;
  }

  template <typename Out>
  void store(Out* to, const Values<T, kSize>& values) const {
    convert(Isa(), values.data(), to + first);
  }
};

template <typename T, typename Isa, typename Body>
void for_tile_of(int64_t begin, int64_t end, const Body& body) {
  for (; begin < end; begin += Isa::kSize) body(CpuTile<T, Isa>{begin});
}

#ifdef AVX2_FUNCTION
// flatten inlines all calls, so that the called functions are compiled for AVX2, too.
template <typename T, typename Body>
AVX2_FUNCTION __attribute__((flatten)) void for_avx2_tile(
    int64_t begin,
    int64_t end,
    const Body& body) {
  for_tile_of<T, Avx2>(begin, end, body);
}
#endif

// Calls body with all tiles of a range, in order. If the last elements do not fill a tile, they are
// handled one at a time: they are not worth a version for AVX2.
template <typename T, typename Body>
void for_tile(int64_t begin, int64_t end, const Body& body) {
  const int64_t last = end - (end - begin) % kCpuTileSize;
#ifdef AVX2_FUNCTION
  if (__builtin_cpu_supports("avx2")) {
    for_avx2_tile<T>(begin, last, body);
    begin = last;
  }
#endif
  for_tile_of<T, Baseline>(begin, last, body);
  for_tile_of<T, Single>(last, end, body);
}

}  // namespace KIT_NAMESPACE

// Compiles the loops of an operator for its dtypes.
#define INSTANTIATE_FLOATS(Args) \
  template struct Args<float>; \
  template struct Args<double>; \
  template struct Args<c10::Half>; \
  template struct Args<c10::BFloat16>

// The loops pass numbers (double) and sizes (int64_t) to the math, which takes the type to compute
// in. These conversions are intended, so the warnings are off below this line. A file with loops
// includes <op>.h, which has the math, before this file: there, the option -Wconversion still warns
// of a plain 0.5 instead of T(0.5).
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#endif
