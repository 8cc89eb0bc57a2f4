// What an operator's math and arguments need wherever it runs: CPU loop or CUDA kernel.
#pragma once

// <math.h> and not <cmath>, so that the math can call exp(x) and the like without std::.
#include <math.h>

#include <cstdint>
#include <type_traits>

// The math gets every argument of its operator, whichever its formula reads, and so does <op>.cpp.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

// What <op>_args.h has of CUDA: pointers to 16-bit types, of cuda_fp16.h and cuda_bf16.h, and the
// names of functions that a library without CUDA declares, and never calls.
struct __half;
struct __nv_bfloat16;
#ifdef USE_CUDA
#include <driver_types.h>
#elif !defined(__CUDACC__)
using cudaStream_t = struct CUstream_st*;
using cudaError_t = int;
#endif

#ifdef __CUDACC__
// Their conversions, which PyTorch's builds switch off.
#undef __CUDA_NO_HALF_CONVERSIONS__
#undef __CUDA_NO_BFLOAT16_CONVERSIONS__
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define HOST_DEVICE __host__ __device__ __forceinline__
#else
#define HOST_DEVICE inline
#endif

namespace my_ops {

// The type to compute in: double for double, float for all others, 16-bit types included.
template <typename T>
using compute_t = std::conditional_t<std::is_same_v<T, double>, double, float>;

#ifdef __CUDACC__
template <typename T>
__device__ __forceinline__ compute_t<T> to_compute(T value) {
  return static_cast<compute_t<T>>(value);
}

// Rounds to nearest even.
template <typename T>
__device__ __forceinline__ T from_compute(compute_t<T> value) {
  return static_cast<T>(value);
}
#else
// CUDA has it, C++ does not.
template <typename T>
T rsqrt(T x) {
  return 1 / sqrt(x);
}

// The functions of <math.h> are calls, and a loop with one has no vector instructions: 3 ns an
// element, not 0.2. As there, NaN counts as absent.
template <typename T, typename U>
auto fmin(T x, U y) -> decltype(::fmin(x, y)) {
  return x < y || y != y ? x : y;
}
template <typename T, typename U>
auto fmax(T x, U y) -> decltype(::fmax(x, y)) {
  return x > y || y != y ? x : y;
}
#endif

}  // namespace my_ops

#ifdef __CUDACC__
// Compiles the launchers of an operator for the dtypes that it takes.
#define INSTANTIATE_FLOATS(Args) \
  template struct Args<float>; \
  template struct Args<double>; \
  template struct Args<__half>; \
  template struct Args<__nv_bfloat16>
#endif
