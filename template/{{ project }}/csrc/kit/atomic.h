// Sums that several threads add to.
#pragma once

#include "compute.h"

namespace KIT_NAMESPACE {

#ifdef __CUDACC__
// The type of the same size that CUDA's atomicAdd accepts.
template <typename T>
struct AtomicType {
  using type = T;
};
template <>
struct AtomicType<int64_t> {
  using type = unsigned long long;
};
#endif

// Adds to a number that other threads may be adding to: a float, a double, a 32-bit or 64-bit
// integer, or from sm_70 on, a 16-bit float. The order of floating-point additions varies, so the
// last digits of a sum vary, too. A 16-bit sum is rounded after each addition and soon stops
// growing, so in the signature, give a sum of many values the dtype float32. Returns the number
// before the addition.
template <typename T, typename Value>
HOST_DEVICE T atomic_add(T* to, Value value) {
  const T added = static_cast<T>(value);
#ifdef __CUDA_ARCH__
  using Type = typename AtomicType<T>::type;
  const Type before = atomicAdd(reinterpret_cast<Type*>(to), reinterpret_cast<const Type&>(added));
  return reinterpret_cast<const T&>(before);
#else
  T before;
  __atomic_load(to, &before, __ATOMIC_RELAXED);
  T after = before + added;
  constexpr int relaxed = __ATOMIC_RELAXED;
  while (!__atomic_compare_exchange(to, &before, &after, true, relaxed, relaxed)) {
    after = before + added;
  }
  return before;
#endif
}

template <typename T, typename Value>
HOST_DEVICE T atomic_add(const T*, Value) {
  static_assert(
      sizeof(T) == 0,
      "atomic_add cannot add to a const argument, only to a result or an argument `Tensor(a!)`");
  return T();
}

}  // namespace KIT_NAMESPACE
