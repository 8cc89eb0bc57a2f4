// Rounds to 8-bit floating-point numbers as PyTorch does. CUDA's conversions clamp a value beyond
// the largest number. For such a value, PyTorch stores infinity in float8_e5m2. In float8_e4m3fn,
// PyTorch stores NaN before version 2.13, and the largest number from 2.13 on.
#pragma once

#ifdef __CUDACC_RTC__
#include <cuda_fp8.h>
#else
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#endif

#include "rows.cuh"

namespace KIT_NAMESPACE {

#ifdef __CUDACC_RTC__
constexpr unsigned char kE4m3Overflow = FLOAT8_E4M3FN_OVERFLOW;  // defined by _library.py

template <>
__device__ __forceinline__ __nv_fp8_e4m3 rounded<__nv_fp8_e4m3>(float value) {
  __nv_fp8_e4m3 result(value);
  const bool beyond = fabs(value) > 464;
  if (beyond) result.__x = (result.__x & 0x80) | kE4m3Overflow;
  return result;
}
template <>
__device__ __forceinline__ __nv_fp8_e4m3 rounded<__nv_fp8_e4m3>(double value) {
  return rounded<__nv_fp8_e4m3>(static_cast<float>(value));
}
template <>
__device__ __forceinline__ __nv_fp8_e5m2 rounded<__nv_fp8_e5m2>(float value) {
  __nv_fp8_e5m2 result(value);
  const bool beyond = fabs(value) >= 61440;
  if (beyond) result.__x = (result.__x & 0x80) | 0x7c;
  return result;
}
template <>
__device__ __forceinline__ __nv_fp8_e5m2 rounded<__nv_fp8_e5m2>(double value) {
  return rounded<__nv_fp8_e5m2>(static_cast<float>(value));
}
#elif __CUDA_ARCH__ >= 890
template <>
__device__ __forceinline__ c10::Float8_e4m3fn rounded<c10::Float8_e4m3fn>(float value) {
  unsigned short bits;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;" : "=h"(bits) : "f"(value), "f"(0.f));
  const bool beyond = fabs(value) > 464;
  if (beyond) bits = (bits & 0x80) | c10::Float8_e4m3fn(INFINITY).x;
  return c10::Float8_e4m3fn(static_cast<uint8_t>(bits), c10::Float8_e4m3fn::from_bits());
}
template <>
__device__ __forceinline__ c10::Float8_e5m2 rounded<c10::Float8_e5m2>(float value) {
  unsigned short bits;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %2, %1;" : "=h"(bits) : "f"(value), "f"(0.f));
  const bool beyond = fabs(value) >= 61440;
  if (beyond) bits = (bits & 0x80) | 0x7c;
  return c10::Float8_e5m2(static_cast<uint8_t>(bits), c10::Float8_e5m2::from_bits());
}
#endif

}  // namespace KIT_NAMESPACE
