// Stands in for the parts of CUDA that elementwise kernels use. Threads run one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#define __device__
#define __global__
#define __forceinline__ inline

struct Index {
  unsigned int x;
};
inline Index blockIdx, threadIdx;

using cudaStream_t = void*;
using cudaError_t = int;
inline cudaError_t cudaGetLastError() {
  return 0;
}

// In place of kernel<<<blocks, threads, 0, stream>>>(arguments...).
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, unsigned int blocks, unsigned int threads, Arguments... arguments) {
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(arguments...);
  }
}

inline float __uint_as_float(unsigned int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline unsigned int __float_as_uint(float value) {
  unsigned int bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// In place of the instructions cvt.f32.f16 and cvt.rn.f16.f32.
inline float convert_f16_to_f32(unsigned short bits) {
  _Float16 value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline unsigned short convert_f32_to_f16(float value) {
  const _Float16 rounded = static_cast<_Float16>(value);
  unsigned short bits;
  std::memcpy(&bits, &rounded, sizeof(bits));
  return bits;
}
