// Sums that several threads add to.
#pragma once

#include "compute.h"

namespace my_ops {

// Adds to what other threads may be adding to: float and double, 32-bit and 64-bit integers. The
// order of floating-point sums varies, and so does their last digit.
template <typename T>
HOST_DEVICE void atomic_add(T* to, T value) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 8 && T(0.5) == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
  } else {
    atomicAdd(to, value);
  }
#else
  T before;
  __atomic_load(to, &before, __ATOMIC_RELAXED);
  T after = before + value;
  constexpr int relaxed = __ATOMIC_RELAXED;
  while (!__atomic_compare_exchange(to, &before, &after, true, relaxed, relaxed)) {
    after = before + value;
  }
#endif
}

}  // namespace my_ops
