// Stands in for the parts of CUDA that kernels use. Threads run one after the other, or together where they wait for
// each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include <pthread.h>

#define __CUDACC__
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(threads)
// Blocks run one after the other, so that one has at a time what its threads share.
#define __shared__ static

struct Index {
  unsigned int x;
};
inline Index gridDim;
inline thread_local Index blockIdx, threadIdx;

using cudaStream_t = void*;
using cudaError_t = int;
inline cudaError_t cudaGetLastError() {
  return 0;
}

using std::max;
using std::min;
template <typename T>
T rsqrt(T x) {
  return 1 / std::sqrt(x);
}

struct alignas(16) uint4 {
  unsigned int x, y, z, w;
};

inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}

inline int __float2int_rn(float value) {
  return static_cast<int>(std::lrint(value));
}

// In place of kernel<<<blocks, threads, 0, stream>>>(arguments...).
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, unsigned int blocks, unsigned int threads, Arguments... arguments) {
  gridDim.x = blocks;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(arguments...);
  }
}

inline pthread_barrier_t of_block;
inline void __syncthreads() {
  pthread_barrier_wait(&of_block);
}

// The same for a kernel whose threads wait for each other.
template <typename Kernel, typename... Arguments>
void launch_together(Kernel kernel, unsigned int blocks, unsigned int threads, Arguments... arguments) {
  gridDim.x = blocks;
  pthread_barrier_init(&of_block, nullptr, threads);
  std::vector<std::thread> all;
  for (unsigned int i = 0; i < threads; ++i) {
    all.emplace_back([=] {
      threadIdx.x = i;
      // The same threads for all blocks: to start them takes longer than what they do.
      for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
        kernel(arguments...);
        __syncthreads();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  pthread_barrier_destroy(&of_block);
}
