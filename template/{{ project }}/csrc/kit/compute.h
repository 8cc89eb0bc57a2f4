// Shared by the CPU loops and CUDA kernels: types and functions for an operator's math and
// arguments.
#pragma once

#include "../project.h"

// <math.h> and not <cmath>, so that the math can call exp(x) and similar functions without std::.
// NVRTC has these functions built in, but no headers of C++.
#ifdef __CUDACC_RTC__
#define INFINITY __int_as_float(0x7f800000)
using int64_t = long long;
using int32_t = int;
using int16_t = short;
using int8_t = signed char;
using uint8_t = unsigned char;
#else
#include <math.h>

#include <cstdint>
#endif

// The math gets all arguments of its operator, even if the formula does not read some of them.
#if defined(__GNUC__) && !defined(__CUDACC_RTC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

// CUDA's types in <op>_args.h, where they occur only in pointers and in declarations of functions.
// They are declared here, so that <op>_args.h also compiles without CUDA's headers. A library
// without CUDA never calls functions such as run_on_gpu.
struct __half;
struct __nv_bfloat16;
#ifdef USE_CUDA
#include <driver_types.h>
#elif !defined(__CUDACC__)
using cudaStream_t = struct CUstream_st*;
using cudaError_t = int;
#endif

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__ __forceinline__
#else
#define HOST_DEVICE inline
#endif

namespace KIT_NAMESPACE {

// The type to compute in, as at::opmath_type: double for double, float for all others, 16-bit types
// included.
template <typename T>
struct opmath_type {
  using type = float;
};
template <>
struct opmath_type<double> {
  using type = double;
};
template <typename T>
using opmath_t = typename opmath_type<T>::type;

// The name until 0.7.0, for lines of yours.
template <typename T>
using compute_t = opmath_t<T>;

// The type to add up in: int64_t for the integers of signatures, opmath_t for all others.
template <typename T>
struct sum_type {
  using type = opmath_t<T>;
};
template <>
struct sum_type<int64_t> {
  using type = int64_t;
};
template <>
struct sum_type<int32_t> {
  using type = int64_t;
};
template <>
struct sum_type<int16_t> {
  using type = int64_t;
};
template <>
struct sum_type<int8_t> {
  using type = int64_t;
};
template <>
struct sum_type<uint8_t> {
  using type = int64_t;
};
template <>
struct sum_type<bool> {
  using type = int64_t;
};
template <typename T>
using sum_t = typename sum_type<T>::type;

// The type of the factors of a matrix product that PyTorch computes, see product.h. 16-bit types
// stay unchanged on a GPU, and become float on the CPU.
template <typename T>
struct factor_type {
  using type = opmath_t<T>;
};
#ifdef USE_CUDA
template <>
struct factor_type<__half> {
  using type = __half;
};
template <>
struct factor_type<__nv_bfloat16> {
  using type = __nv_bfloat16;
};
#endif
template <typename T>
using factor_t = typename factor_type<T>::type;

#ifndef __CUDACC__
// rsqrt is a function of CUDA, but not of C++.
template <typename T>
T rsqrt(T x) {
  return 1 / sqrt(x);
}

// fmin and fmax of <math.h> are function calls, and a loop that calls a function has no vector
// instructions: it takes 3 ns per element instead of 0.2. As in C, if one argument is NaN, the
// result is the other argument.
template <typename T, typename U>
auto fmin(T x, U y) -> decltype(::fmin(x, y)) {
  return x < y || y != y ? x : y;
}
template <typename T, typename U>
auto fmax(T x, U y) -> decltype(::fmax(x, y)) {
  return x > y || y != y ? x : y;
}
#endif

// The larger of two numbers, or NaN if one of them is NaN, as from torch.maximum.
template <typename T>
HOST_DEVICE T max_nan(T x, T y) {
  return x > y || x != x ? x : y;
}

// Returns a size to divide by: 1 in place of 0. A tensor without elements has no coordinates, so
// nothing uses the result of the division.
HOST_DEVICE int64_t at_least_1(int64_t size) {
  return size > 1 ? size : 1;
}

// How PyTorch converts a number to T; cuda_float8.h adds a type. To uint8_t, a negative number
// becomes the last 8 bits of its integer part. With a plain cast, a GPU would give 0.
template <typename T>
struct Cast {
  template <typename U>
  static HOST_DEVICE T from(U x) {
    return static_cast<T>(x);
  }
};
template <>
struct Cast<uint8_t> {
  template <typename U>
  static HOST_DEVICE uint8_t from(U x) {
    return static_cast<uint8_t>(static_cast<int64_t>(x));
  }
};

// Converts through float, double or int64_t, because one of CUDA's types is not made of another.
template <typename T, typename U>
HOST_DEVICE T cast_to(U x) {
  return Cast<T>::from(static_cast<sum_t<U>>(x));
}

// The index in memory of element i, in a tensor with these sizes and strides.
template <int dims>
HOST_DEVICE int64_t
strided_index(int64_t i, const int64_t (&sizes)[dims], const int64_t (&strides)[dims]) {
  int64_t index = 0;
  for (int dim = dims - 1; dim >= 0; --dim) {
    index += i % at_least_1(sizes[dim]) * strides[dim];
    i /= at_least_1(sizes[dim]);
  }
  return index;
}

// exp(x) for sums over a row, as in a softmax. For a float on a GPU, it takes two instructions
// instead of eight; the relative error is then at most 3e-7 + 8e-8 * |x|, and results below 1.2e-38
// are 0.
HOST_DEVICE float fast_exp(float x) {
#ifdef __CUDA_ARCH__
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * 1.44269504f));
  return power;
#else
  return exp(x);
#endif
}
HOST_DEVICE double fast_exp(double x) {
  return exp(x);
}

}  // namespace KIT_NAMESPACE
