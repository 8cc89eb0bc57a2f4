// Stands in for the parts of CUDA that kernels with shared memory use. The threads of a block are fibers: one
// runs until it waits for others. Tensor cores and asynchronous copies are emulated in blocks.h too, for
// tests/build_cpu/test_kernels.py puts calls of these functions in place of the assembly.
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define __CUDACC__
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __CUDA_ARCH__ ARCHITECTURE

struct dim3 {
  unsigned int x, y, z;
  dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};
inline dim3 blockIdx, threadIdx, blockDim, gridDim;

struct alignas(16) uint4 {
  unsigned int x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned int x, y;
};
template <typename T>
T __ldg(const T* from) {
  return *from;
}
template <typename T>
void __stwb(T* to, T value) {
  *to = value;
}
template <typename T>
T rsqrt(T x) {
  return 1 / std::sqrt(x);
}
inline float __uint_as_float(unsigned int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

using cudaStream_t = void*;
using cudaError_t = int;
constexpr int cudaDevAttrMultiProcessorCount = 0, cudaDevAttrMaxSharedMemoryPerBlockOptin = 1;
inline int processors = 8;
constexpr int kSharedBytes = 1 << 16;
inline cudaError_t cudaGetLastError() { return 0; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0; }
inline cudaError_t cudaDeviceGetAttribute(int* value, int attribute, int) {
  return *value = attribute == cudaDevAttrMultiProcessorCount ? processors : kSharedBytes, 0;
}

// No kernel is compiled for an architecture that has more threads or clusters.
struct cudaFuncAttributes {
  int maxThreadsPerBlock, sharedSizeBytes = 0, ptxVersion = 0;
};
constexpr int cudaSuccess = 0, cudaFuncAttributeMaxDynamicSharedMemorySize = 0;
constexpr int cudaFuncAttributeNonPortableClusterSizeAllowed = 0, cudaLaunchAttributeClusterDimension = 0;
struct cudaLaunchAttribute {
  int id;
  struct {
    dim3 clusterDim;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  int dynamicSmemBytes, numAttrs;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
};
template <typename... Arguments>
cudaError_t cudaOccupancyMaxActiveClusters(Arguments...) {
  std::abort();
}
template <typename Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel) {
  return attributes->maxThreadsPerBlock = 32, 0;
}
// Two threads may launch a kernel at the same time, and what it is allowed must suit both.
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel kernel, int, int value) {
  static std::map<Kernel, int> allowed;
  if (allowed.emplace(kernel, value).first->second == value) return 0;
  std::printf("a kernel is allowed %d bytes, and was allowed others\n", value);
  std::exit(1);
}

// ---- Fibers

struct Copy {
  void* to;
  std::vector<char> bytes;
};

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  dim3 index;
  bool done = false;
  std::vector<Copy> open;                // copies that are in no group yet
  std::deque<std::vector<Copy>> groups;  // and groups that go on
};

struct Barrier {
  int waiting = 0;
  long generation = 0;
};

inline std::vector<Fiber> fibers;
inline size_t current;
inline ucontext_t scheduler;
inline Barrier of_block, of_warps[32];
inline std::function<void()> body;

inline Fiber& fiber() { return fibers[current]; }

inline void wait(Barrier& barrier, int count) {
  const long generation = barrier.generation;
  if (++barrier.waiting == count) {
    barrier.waiting = 0;
    ++barrier.generation;
    return;
  }
  while (barrier.generation == generation) swapcontext(&fiber().context, &scheduler);
}

inline void __syncthreads() { wait(of_block, fibers.size()); }
inline int warp() { return current / 32; }
inline int lane() { return current % 32; }
inline void sync_warp() {
  const int left = static_cast<int>(fibers.size()) - warp() * 32;
  wait(of_warps[warp()], left < 32 ? left : 32);
}

inline void enter() {
  body();
  fiber().done = true;
}

inline void run_block() {
  fibers = std::vector<Fiber>(blockDim.x * blockDim.y);
  for (size_t i = 0; i < fibers.size(); ++i) {
    constexpr size_t kStack = 1 << 18;
    Fiber& new_fiber = fibers[i];
    new_fiber.stack.reset(new char[kStack]);
    new_fiber.index = dim3(i % blockDim.x, i / blockDim.x);
    getcontext(&new_fiber.context);
    new_fiber.context.uc_stack.ss_sp = new_fiber.stack.get();
    new_fiber.context.uc_stack.ss_size = kStack;
    new_fiber.context.uc_link = &scheduler;
    makecontext(&new_fiber.context, enter, 0);
  }
  for (size_t left = fibers.size(); left > 0;) {
    left = 0;
    for (current = 0; current < fibers.size(); ++current) {
      if (fiber().done) continue;
      threadIdx = fiber().index;
      swapcontext(&scheduler, &fiber().context);
      left += !fiber().done;
    }
  }
}

// In place of kernel<<<grid, block, 0, stream>>>(arguments...).
template <typename Kernel, typename... Arguments>
void run(Kernel kernel, dim3 grid, dim3 block, Arguments... arguments) {
  gridDim = grid;
  blockDim = block;
  body = [=] { kernel(arguments...); };
  for (unsigned int y = 0; y < grid.y; ++y) {
    for (unsigned int x = 0; x < grid.x; ++x) {
      blockIdx = dim3(x, y);
      run_block();
    }
  }
}

template <typename Kernel, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, Kernel kernel, Arguments... arguments) {
  if (config->numAttrs != 0) std::abort();
  run(kernel, config->gridDim, config->blockDim, arguments...);
  return 0;
}

// ---- What threads of a warp do together

inline char exchanged[32][32][64];  // of each warp, what each lane gives

template <typename T>
void give(const T& value) {
  static_assert(sizeof(T) <= 64);
  sync_warp();  // since what was given before may still be read
  std::memcpy(exchanged[warp()][lane()], &value, sizeof(T));
  sync_warp();
}
template <typename T>
T take(int lane) {
  T value;
  std::memcpy(&value, exchanged[warp()][lane], sizeof(T));
  return value;
}

inline unsigned int __shfl_xor_sync(unsigned int, unsigned int value, int offset) {
  give(value);
  return take<unsigned int>(lane() ^ offset);
}

// ---- In place of assembly

inline void copy_later(void* to, const void* from, int size, int bytes) {
  Copy copy{to, std::vector<char>(size)};
  std::memcpy(copy.bytes.data(), from, bytes);
  if (reinterpret_cast<size_t>(to) % size || (bytes && reinterpret_cast<size_t>(from) % size)) {
    std::printf("misaligned copy of %d bytes\n", size);
    std::exit(1);
  }
  fiber().open.push_back(std::move(copy));
}
inline void commit() {
  fiber().groups.push_back(std::move(fiber().open));
  fiber().open.clear();
}
inline void wait_for(size_t groups) {
  while (fiber().groups.size() > groups) {
    for (const Copy& copy : fiber().groups.front()) {
      std::memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
    }
    fiber().groups.pop_front();
  }
}

// ldmatrix: lane 8 i + j names row j of matrix i, and each lane gets two neighbours of each matrix.
template <bool kTransposed>
void load_four_matrices(unsigned int (&to)[4], const void* row) {
  give(row);
  for (int i = 0; i < 4; ++i) {
    unsigned short elements[2];
    for (int n = 0; n < 2; ++n) {
      const int down = kTransposed ? lane() % 4 * 2 + n : lane() / 4;
      const int across = kTransposed ? lane() / 4 : lane() % 4 * 2 + n;
      elements[n] = take<const unsigned short*>(i * 8 + down)[across];
    }
    std::memcpy(&to[i], elements, 4);
  }
}

inline float as_float(unsigned int pair, int n, bool bfloat16) {
  const auto bits = static_cast<unsigned short>(pair >> 16 * n);
  __half half;
  __nv_bfloat16 brain;
  std::memcpy(bfloat16 ? static_cast<void*>(&brain) : &half, &bits, 2);
  return bfloat16 ? __bfloat162float(brain) : __half2float(half);
}

// mma.m16n8k16: where elements are is in the tables of PTX.
template <bool kBfloat16>
void multiply_matrices(float (&sums)[4], const unsigned int (&a)[4], const unsigned int* b) {
  struct {
    unsigned int a[4], b[2];
  } mine{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}};
  give(mine);
  for (int i = 0; i < 4; ++i) {
    const int row = lane() / 4 + i / 2 * 8, column = lane() % 4 * 2 + i % 2;
    for (int k = 0; k < 16; ++k) {
      const auto of_a = take<decltype(mine)>(row % 8 * 4 + k % 8 / 2);
      const auto of_b = take<decltype(mine)>(column * 4 + k % 8 / 2);
      sums[i] += as_float(of_a.a[row / 8 + k / 8 * 2], k % 2, kBfloat16) *
                 as_float(of_b.b[k / 8], k % 2, kBfloat16);
    }
  }
}
