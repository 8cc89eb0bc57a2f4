// CUDA's 16-bit types in kernels, and their conversions.
#pragma once

#include "compute.h"

// PyTorch's compiler options switch off the implicit conversions of the two headers below. This
// file switches them on again, unless a header of PyTorch has already included cuda_fp16.h: the
// kernels in such a file use PyTorch's types.
#ifndef __CUDA_FP16_H__
#undef __CUDA_NO_HALF_CONVERSIONS__
#undef __CUDA_NO_BFLOAT16_CONVERSIONS__
#endif
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace KIT_NAMESPACE {

template <typename T>
__device__ __forceinline__ opmath_t<T> to_opmath(T value) {
  return static_cast<opmath_t<T>>(value);
}

// Rounds to nearest even.
template <typename T>
__device__ __forceinline__ T from_opmath(opmath_t<T> value) {
  return static_cast<T>(value);
}

// The names until 0.7.0, for lines of yours.
template <typename T>
__device__ __forceinline__ opmath_t<T> to_compute(T value) {
  return to_opmath(value);
}
template <typename T>
__device__ __forceinline__ T from_compute(opmath_t<T> value) {
  return from_opmath<T>(value);
}

}  // namespace KIT_NAMESPACE

// Compiles the launchers of an operator for its dtypes.
#define INSTANTIATE_FLOATS(Args) \
  template struct Args<float>; \
  template struct Args<double>; \
  template struct Args<__half>; \
  template struct Args<__nv_bfloat16>
