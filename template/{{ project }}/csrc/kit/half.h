// The 16-bit floating-point types of PyTorch, or with NVRTC, of CUDA. nvcc takes a second for
// PyTorch's headers.
#pragma once

#ifdef __CUDACC_RTC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#else
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
#endif

#include "atomic.h"

namespace KIT_NAMESPACE {

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
template <>
struct AtomicType<c10::Half> {
  using type = __half;
};
template <>
struct AtomicType<c10::BFloat16> {
  using type = __nv_bfloat16;
};
#endif

}  // namespace KIT_NAMESPACE
