// Stands in for the parts of CUDA that elementwise kernels use. Threads run one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(threads)

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
