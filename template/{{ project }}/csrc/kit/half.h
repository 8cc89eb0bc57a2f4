// PyTorch's 16-bit floating-point types. nvcc takes a second for their headers.
#pragma once

#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>

#include "atomic.h"

namespace KIT_NAMESPACE {

#ifdef __CUDACC__
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
