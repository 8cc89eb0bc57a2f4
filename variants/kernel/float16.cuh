// The 16-bit floating-point types on the GPU, which computes with them in float.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "compute.h"

namespace {{ project }} {

// By name, since PyTorch's builds switch off what a cast would call (__CUDA_NO_HALF_CONVERSIONS__).
template <typename T>
__device__ __forceinline__ compute_t<T> to_compute(T value) {
  return value;
}
template <>
__device__ __forceinline__ float to_compute(__half value) {
  return __half2float(value);
}
template <>
__device__ __forceinline__ float to_compute(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

// Rounds to nearest even.
template <typename T>
__device__ __forceinline__ T from_compute(compute_t<T> value) {
  return value;
}
template <>
__device__ __forceinline__ __half from_compute<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ __forceinline__ __nv_bfloat16 from_compute<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

}  // namespace {{ project }}
{% if ops | selectattr('kernel', 'in', ['elementwise', 'rowwise']) | list %}

// Compiles the launchers of an operator for the dtypes that it takes.
#define INSTANTIATE_FLOATS(Args) \
  template struct Args<float>; \
  template struct Args<double>; \
  template struct Args<__half>; \
  template struct Args<__nv_bfloat16>
{% endif %}
