// Matrix products: how threads share a product.
#pragma once

#include "cuda_cores.cuh"
#include "cuda_types.cuh"
#include "placed_tile.cuh"
#include "tensor_cores.cuh"
#include "wgmma.cuh"

namespace KIT_NAMESPACE {

// How the threads of a block multiply. A Math defines how the threads share the tile, and the
// layout of a stage: tiles of both factors in shared memory. One of kStages stages is multiplied
// while elements are copied to the others. Each access of a copy has 16 bytes, or one element if
// not kAligned. The depth is the number of columns of `a`, and of rows of `b`. With kParts, the
// blocks of a grid with the same blockIdx.x share a tile: each block multiplies a part of the
// depth.
template <typename Math, int kStages, bool kAligned, bool kParts_ = true>
class ProductTile : public PlacedTile<Math::kRows, Math::kColumns> {
  using T = typename Math::Element;
  static constexpr int kDepth = Math::kDepth;

 public:
  static constexpr int kThreads = Math::kThreads, kBlocks = Math::kBlocks;
  static constexpr int kBound = kThreads, kSharedBytes = 0;
  static constexpr bool kParts = kParts_, kLoops = false;

  __device__ __forceinline__ ProductTile(int64_t rows, int64_t columns, int64_t depth)
      : PlacedTile<Math::kRows, Math::kColumns>(rows, columns, blockIdx.x), depth_(depth) {}

  __device__ __forceinline__ bool only_copies(const T*, const T*) {
    return false;
  }

  // Multiplies the whole depth, or this block's part of it.
  __device__ __forceinline__ void multiply(const T* a, const T* b) {
    constexpr int kAhead = kStages - 1, kAccess = kAligned ? 16 / sizeof(T) : 1;
    __shared__ typename Math::Stage stages[kStages];
    const int64_t steps = (depth_ + kDepth - 1) / kDepth;
    const int64_t first = blockIdx.y * steps / gridDim.y;
    const int64_t last = (blockIdx.y + 1) * steps / gridDim.y;
    const auto copy = [&](int64_t step, int stage) {
      if (step < last) {
        this->template copy_step<kThreads, kAccess, kDepth>(
            threadIdx.x, a, b, depth_, step * kDepth, stages[stage]);
      }
      commit_copies();
    };
#pragma unroll 1
    for (int i = 0; i < kAhead; ++i) copy(first + i, i);
    int stage = 0;
    for (int64_t step = first; step < last; ++step) {
      wait_for_copies<kAhead - 1>();
      __syncthreads();
      math_.multiply(stages[stage]);
      // After the math, which would otherwise wait until all copies have started.
      copy(step + kAhead, (stage + kAhead) % kStages);
      stage = (stage + 1) % kStages;
    }
  }

  template <typename To, typename Body>
  __device__ __forceinline__ void store(To* to, const Body& body) const {
    PlacedTile<Math::kRows, Math::kColumns>::template store<kAligned>(math_, to, body);
  }

  __device__ __forceinline__ bool next() {
    return false;
  }

 private:
  int64_t depth_;
  Math math_;
};

// ---- The choice of a tile. Unaligned if not all rows begin at multiples of 16 bytes. Otherwise
// Small if the depth is split into parts. Otherwise Large if the GPU can run it, and if the product
// has about as many Large tiles as run at the same time, or more. Otherwise Medium if the product
// has about one Medium tile for each multiprocessor, or more. Otherwise Small.
//
// The parameters of a tile are its rows, columns and depth, its threads, the blocks that should run
// on a multiprocessor at the same time, its stages, and then kAligned and kParts. A block uses up to
// 48 KB of shared memory, or 192 KB with WgmmaTile.

template <typename T>
struct Tiles {
  using Large = WgmmaTile<T>;
  using Medium = ProductTile<TensorCoreMath<T, 128, 128, 32, 128, 2>, 3, true, false>;
  using Small = ProductTile<TensorCoreMath<T, 64, 64, 32, 128, 4>, 4, true>;
  using Unaligned = ProductTile<TensorCoreMath<T, 64, 64, 32, 128, 4>, 2, false>;
};
template <>
struct Tiles<float> {
  using Large = ProductTile<CudaCoreMath<float, 128, 128, 8, 128, 2>, 3, true, false>;
  using Medium = ProductTile<CudaCoreMath<float, 128, 64, 16, 128, 3>, 3, true, false>;
  using Small = ProductTile<CudaCoreMath<float, 32, 32, 32, 64, 8>, 3, true>;
  using Unaligned = ProductTile<CudaCoreMath<float, 64, 64, 16, 64, 6>, 3, false>;
};
template <>
struct Tiles<double> {
  using Large = ProductTile<CudaCoreMath<double, 64, 64, 8, 64, 3>, 3, true, false>;
  using Medium = Large;
  using Small = ProductTile<CudaCoreMath<double, 32, 32, 16, 64, 6>, 3, true>;
  using Unaligned = ProductTile<CudaCoreMath<double, 32, 32, 16, 64, 6>, 3, false>;
};

// Threads in a block that adds up the parts of the depth.
constexpr int kFinishThreads = 256;

// Reads a RowTile's access i to a row of the product. The product was not rounded to 16 bits.
template <typename RowTile, typename Value, typename Values>
__device__ __forceinline__ void load_values(
    const RowTile& tile,
    const Value* row,
    int i,
    Values& values) {
  constexpr int kSize = RowTile::Access::kSize;
  struct alignas(kSize == 1 ? sizeof(Value) : 16) Access {
    Value values[kSize];
  } access{};
  if (tile.has(i)) access = *reinterpret_cast<const Access*>(row + tile.index(i));
#pragma unroll
  for (int j = 0; j < kSize; ++j) values[j] = access.values[j];
}

#ifndef __CUDACC_RTC__
// ---- Launching

template <typename Tile_>
struct Choice {
  using Tile = Tile_;
};

// Allows a kernel the shared memory of its tile. Returns false if the kernel cannot run, for
// example because it was compiled for another architecture.
template <typename Tile, typename Kernel>
bool prepare(Kernel kernel) {
  if constexpr (Tile::kSharedBytes == 0) return true;
  cudaFuncAttributes found{};
  cudaFuncGetAttributes(&found, kernel);
  constexpr auto kBytes = cudaFuncAttributeMaxDynamicSharedMemorySize;
  if (found.maxThreadsPerBlock < Tile::kThreads) return false;
  if (cudaFuncSetAttribute(kernel, kBytes, Tile::kSharedBytes) == cudaSuccess) return true;
  cudaGetLastError();  // a later check would take this error for an error of a launch
  return false;
}

// Chooses a tile for a product of this shape. Calls launch with its Choice and the number of
// blocks. If launch returns false, calls it with another tile.
template <typename T, typename Launch>
void choose_tile(int64_t rows, int64_t columns, int64_t parts, bool aligned, const Launch& launch) {
  using Large = typename Tiles<T>::Large;
  using Medium = typename Tiles<T>::Medium;
  using Small = typename Tiles<T>::Small;
  using Unaligned = typename Tiles<T>::Unaligned;
  int device = 0, processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (!aligned) {
    launch(Choice<Unaligned>(), Unaligned::count(rows, columns));
    return;
  }
  const int64_t large = Large::count(rows, columns), at_once = processors * Large::kBlocks;
  const int64_t blocks = Large::kLoops && large > at_once ? at_once : large;
  if (parts == 1 && large * 10 >= at_once * 9 && launch(Choice<Large>(), blocks)) return;
  const int64_t medium = Medium::count(rows, columns);
  if (parts == 1 && medium * 10 >= processors * 9 && launch(Choice<Medium>(), medium)) return;
  launch(Choice<Small>(), Small::count(rows, columns));
}
#endif

}  // namespace KIT_NAMESPACE
