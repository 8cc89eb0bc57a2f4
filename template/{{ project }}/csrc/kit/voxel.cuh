// Voxels: reading and writing, and the bounds of a volume.
#pragma once

#ifndef __CUDACC_RTC__
#include <optional>
#endif

#include "voxel.h"

namespace KIT_NAMESPACE {

// ---- Reading and writing

// Threads in a block, accesses of each thread, and voxels in an access: 16 bytes of the result.
constexpr int kVoxelBlock = 128;
constexpr int kVoxelAccesses = 2;
constexpr int kVoxelAccessSize = 4;

constexpr int kThreadVoxels = kVoxelAccesses * kVoxelAccessSize;
constexpr int kBlockVoxels = kVoxelBlock * kThreadVoxels;

template <typename T, int kSize>
struct alignas(kSize * sizeof(T)) VoxelAccess {
  T voxels[kSize];
};

// Calls element with the voxels of this thread. With kAligned, `from` is aligned for an access, and
// the voxels of an access are adjacent; `to` is always aligned, because it is new memory.
// Otherwise, and in a last block that is not full, a thread has every kVoxelBlock-th voxel of the
// block.
template <bool kAligned, typename T, typename Element>
__device__ __forceinline__ void for_voxels(
    const T* from,
    float* to,
    int64_t numel,
    const Element& element) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kBlockVoxels;
  T voxels[kThreadVoxels];
  opmath_t<T> results[kThreadVoxels];
  if (kAligned && first + kBlockVoxels <= numel) {
    using In = VoxelAccess<T, kVoxelAccessSize>;
    using Out = VoxelAccess<float, kVoxelAccessSize>;
    const int64_t mine = first + threadIdx.x * kVoxelAccessSize;
#pragma unroll
    for (int i = 0; i < kThreadVoxels; i += kVoxelAccessSize) {
      const In access = *reinterpret_cast<const In*>(from + mine + i * kVoxelBlock);
      memcpy(voxels + i, &access, sizeof(access));
    }
#pragma unroll
    for (int i = 0; i < kThreadVoxels; ++i) element(voxels[i], results[i]);
#pragma unroll
    for (int i = 0; i < kThreadVoxels; i += kVoxelAccessSize) {
      Out access;
#pragma unroll
      for (int j = 0; j < kVoxelAccessSize; ++j) access.voxels[j] = results[i + j];
      *reinterpret_cast<Out*>(to + mine + i * kVoxelBlock) = access;
    }
  } else {
    const int64_t mine = first + threadIdx.x;
#pragma unroll
    for (int i = 0; i < kThreadVoxels; ++i) {
      const int64_t index = mine + i * kVoxelBlock;
      voxels[i] = index < numel ? from[index] : T(0);
    }
#pragma unroll
    for (int i = 0; i < kThreadVoxels; ++i) {
      const int64_t index = mine + i * kVoxelBlock;
      element(voxels[i], results[i]);
      if (index < numel) to[index] = results[i];
    }
  }
}

// ---- Bounds. Integers are compared without a conversion, which is several times as fast. For
// floats, fmin and fmax ignore NaN. The order of comparisons does not change the result.

template <typename T>
__device__ __forceinline__ T least(T a, T b) {
  return b < a ? b : a;
}
__device__ __forceinline__ float least(float a, float b) {
  return fmin(a, b);
}

template <typename T>
__device__ __forceinline__ T greatest(T a, T b) {
  return b > a ? b : a;
}
__device__ __forceinline__ float greatest(float a, float b) {
  return fmax(a, b);
}

constexpr int kRangeBlock = 256;
constexpr int kRangeAccesses = 4;

// Merges the ranges of a block's threads, each a least and a greatest voxel, and writes the range
// of the block.
template <typename Value>
__device__ __forceinline__ void store_range(Value low, Value high, Value* range) {
  __shared__ Value lows[kRangeBlock], highs[kRangeBlock];
  lows[threadIdx.x] = low;
  highs[threadIdx.x] = high;
  for (int half = kRangeBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    lows[threadIdx.x] = fmin(lows[threadIdx.x], lows[threadIdx.x + half]);
    highs[threadIdx.x] = fmax(highs[threadIdx.x], highs[threadIdx.x + half]);
  }
  if (threadIdx.x != 0) return;
  range[0] = lows[0];
  range[1] = highs[0];
}

// Finds the range of each block. Voxels are read 16 bytes at a time, except a few at the start and
// the end of the volume. Every block also reads these few: each thread reads at most one voxel at
// each end.
template <typename T>
__global__ void __launch_bounds__(kRangeBlock)
    range_kernel(const T* __restrict__ volume, opmath_t<T>* __restrict__ ranges, int64_t numel) {
  using Value = opmath_t<T>;
  constexpr int kSize = 16 / sizeof(T);
  using Access = VoxelAccess<T, kSize>;
  T low = volume[0], high = low;
  const auto add = [&](T voxel) {
    low = least(low, voxel);
    high = greatest(high, voxel);
  };

  const size_t before = reinterpret_cast<size_t>(volume) % 16 / sizeof(T);
  const int64_t head = before == 0 ? 0 : kSize - before;
  const auto* const accesses = reinterpret_cast<const Access*>(volume + head);
  const int64_t count = head < numel ? (numel - head) / kSize : 0;
  const int64_t step = static_cast<int64_t>(gridDim.x) * kRangeBlock;
  int64_t index = static_cast<int64_t>(blockIdx.x) * kRangeBlock + threadIdx.x;
  for (; index < count; index += kRangeAccesses * step) {
    Access some[kRangeAccesses];
#pragma unroll
    for (int i = 0; i < kRangeAccesses; ++i) {
      // Beyond the end, read the last access again, which does not change the range.
      const int64_t next = index + i * step;
      some[i] = accesses[next < count ? next : count - 1];
    }
#pragma unroll
    for (int i = 0; i < kRangeAccesses * kSize; ++i) add(some[i / kSize].voxels[i % kSize]);
  }
  const int64_t tail = head + count * kSize + threadIdx.x;
  if (threadIdx.x < head && threadIdx.x < numel) add(volume[threadIdx.x]);
  if (tail < numel) add(volume[tail]);
  store_range<Value>(low, high, ranges + 2 * blockIdx.x);
}

// Merges the ranges of all blocks.
template <typename Value>
__global__ void __launch_bounds__(kRangeBlock) merge_ranges_kernel(
    const Value* __restrict__ ranges,
    Value* __restrict__ range,
    int64_t count) {
  Value low = ranges[0], high = ranges[1];
  for (int64_t i = threadIdx.x; i < count; i += kRangeBlock) {
    low = fmin(low, ranges[2 * i]);
    high = fmax(high, ranges[2 * i + 1]);
  }
  store_range(low, high, range);
}

#ifndef __CUDACC_RTC__
// ---- Launching

template <typename T>
bool voxels_aligned(const T* from) {
  return reinterpret_cast<size_t>(from) % (kVoxelAccessSize * sizeof(T)) == 0;
}

// Blocks that cover numel voxels; numel is at least 1.
inline unsigned int voxel_blocks(int64_t numel) {
  return static_cast<unsigned int>((numel + kBlockVoxels - 1) / kBlockVoxels);
}

// Writes the least and the greatest voxel to range[0] and range[1]. The memory behind them holds
// the ranges of the blocks.
template <typename T>
void launch_find_range(const T* volume, opmath_t<T>* range, int64_t numel, cudaStream_t stream) {
  const int64_t needed = (numel + kBlockVoxels - 1) / kBlockVoxels;
  const int blocks = needed < kRangeBlocks ? static_cast<int>(needed) : kRangeBlocks;
  range_kernel<T><<<blocks, kRangeBlock, 0, stream>>>(volume, range + 2, numel);
  merge_ranges_kernel<opmath_t<T>><<<1, kRangeBlock, 0, stream>>>(range + 2, range, blocks);
}
#endif

}  // namespace KIT_NAMESPACE
