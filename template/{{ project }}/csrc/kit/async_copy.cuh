// Asynchronous copies to shared memory.
#pragma once

#include "../project.h"

namespace KIT_NAMESPACE {

// Copies kSize adjacent elements, or writes zeros if the elements do not exist. From sm_80 on,
// copies of 4 bytes or more are asynchronous.
template <int kSize, typename T>
__device__ __forceinline__ void copy_or_zero(T* to, const T* from, bool exists) {
  constexpr int kBytes = kSize * sizeof(T);
#if __CUDA_ARCH__ >= 800
  if constexpr (kBytes >= 4) {
    const auto shared = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    const int bytes = exists ? kBytes : 0;
    if constexpr (kBytes == 16) {
      asm volatile(
          "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes));
    } else {
      asm volatile(
          "cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from), "n"(kBytes),
          "r"(bytes));
    }
    return;
  }
#endif
  struct alignas(kBytes) Access {
    T elements[kSize];
  } access{};
  if (exists) access = *reinterpret_cast<const Access*>(from);
  *reinterpret_cast<Access*>(to) = access;
}

// Makes a group of the copies that this thread has started since the previous group.
__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}

// Waits until at most kGroups of this thread's groups are pending.
template <int kGroups>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
#endif
}

}  // namespace KIT_NAMESPACE
