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

struct __half {
  _Float16 value;
};
inline float __half2float(__half half) {
  return half.value;
}
inline __half __float2half_rn(float value) {
  return {static_cast<_Float16>(value)};
}

struct __nv_bfloat16 {
  uint16_t bits;
};
inline float __bfloat162float(__nv_bfloat16 value) {
  const uint32_t bits = uint32_t(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return {static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}
