// CUDA's 8-bit floating-point types, for NVRTC, and float8_e8m0fnu rounded as PyTorch rounds it.
#pragma once

#include "compute.h"

#ifdef __CUDACC_RTC__
#include <cuda_fp8.h>

namespace KIT_NAMESPACE {

// float8_e8m0fnu has only an exponent. PyTorch rounds to the nearest power of two, and halves up,
// except between 0 and the smallest normal float. CUDA's constructor always rounds up. For infinity,
// PyTorch stores NaN, and CUDA the largest number.
template <>
struct Cast<__nv_fp8_e8m0> {
  template <typename U>
  static HOST_DEVICE __nv_fp8_e8m0 from(U x) {
    const unsigned bits = __float_as_uint(static_cast<float>(x));
    const unsigned exponent = bits >> 23 & 0xff;
    const unsigned rest = bits & 0x7fffff;
    const bool up = rest > 0x400000 || (rest == 0x400000 && exponent > 0);
    __nv_fp8_e8m0 result;
    result.__x = exponent == 0xff ? exponent : exponent + up;
    return result;
  }
};

}  // namespace KIT_NAMESPACE
#endif
