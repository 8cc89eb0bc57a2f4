// Long rows on Hopper and later GPUs: the blocks of a cluster have a tile of a row each and tell
// each other what they know of it. So a row is read once, and the next one while this one is
// computed.
#pragma once

#include "async_copy.cuh"
#include "row.cuh"

namespace {{ project }} {

// Registers leave room for one such block on a multiprocessor. Smaller ones wait longer for others.
constexpr int kClusterThreads = 512;
constexpr int kClusterAccesses = 4;
// A GPU has 8 in any case, and Hopper 16 if asked for.
constexpr int kPortableBlocks = 8, kMostBlocks = 16;

#if __CUDA_ARCH__ >= 900
// The cluster that this block is in: which block of it, and its rows. Blocks write into each
// other's shared memory, and a barrier there counts the bytes that come. A barrier of the cluster
// would also wait until all rows before are written.
class Cluster {
 public:
  __device__ __forceinline__ Cluster() {
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank_));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks_));
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier(0)));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier(1)));
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  }

  __device__ __forceinline__ int rank() const {
    return rank_;
  }
  // Of all clusters.
  __device__ __forceinline__ int64_t index() const {
    return blockIdx.x / blocks_;
  }
  __device__ __forceinline__ int64_t count() const {
    return gridDim.x / blocks_;
  }

  // Merges what the blocks have, and gives it to all of them, in the same order each time. All
  // threads of all blocks have to call it, each with what its block has.
  template <typename State>
  __device__ __forceinline__ void merge(State& state) {
    constexpr int kWords = sizeof(State) / 4;
    // Two, since a block may be told of the next row while its threads still read of this one.
    __shared__ unsigned int of_blocks[2][kMostBlocks][kWords];
    const int odd = round_ % 2, phase = round_ / 2 % 2;
    ++round_;
    unsigned int words[kWords];
    memcpy(words, &state, sizeof(State));
    if (threadIdx.x == 0) {
      const unsigned int bytes = blocks_ * sizeof(State);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier(odd)),
                   "r"(bytes)
                   : "memory");
    }
    if (threadIdx.x < blocks_) {
      const unsigned int to = of_block(shared_address(of_blocks[odd][rank_]), threadIdx.x);
      const unsigned int counted = of_block(barrier(odd), threadIdx.x);
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                to + 4 * i),
            "r"(words[i]), "r"(counted)
            : "memory");
      }
    }
    asm volatile(
        "{\n.reg .pred done;\nagain:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
            barrier(odd)),
        "r"(phase)
        : "memory");
    state = State();
    const unsigned int block = threadIdx.x % kMostBlocks;
    if (block < blocks_) memcpy(&state, of_blocks[odd][block], sizeof(State));
    merge_lanes(state, kMostBlocks);
  }

 private:
  __device__ __forceinline__ static unsigned int shared_address(const void* pointer) {
    return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
  }

  // The same place in another block's shared memory.
  __device__ __forceinline__ static unsigned int of_block(unsigned int place, unsigned int block) {
    unsigned int there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(place), "r"(block));
    return there;
  }

  __device__ __forceinline__ static unsigned int barrier(int odd) {
    __shared__ unsigned long long barriers[2];
    return shared_address(&barriers[odd]);
  }

  unsigned int rank_, blocks_, round_ = 0;
};
#endif

// This thread's accesses to a tile of the next row, in several tensors, on their way to shared
// memory: no other thread reads them there.
template <typename Tile>
class NextAccesses {
  using Access = typename Tile::Access;

 public:
  template <typename T>
  __device__ __forceinline__ void copy(const Tile& tile, int tensor, const T* row) {
    asm volatile("" ::: "memory");  // what was got of this row is in registers from here on
#pragma unroll
    for (int i = 0; i < Tile::kAccesses; ++i) {
      T* const to = reinterpret_cast<T*>(&at(tensor, i));
      copy_or_zero<Access::kSize>(to, row + tile.index(i), tile.has(i));
    }
  }

  __device__ __forceinline__ void get(int tensor, Access (&accesses)[Tile::kAccesses]) const {
#pragma unroll
    for (int i = 0; i < Tile::kAccesses; ++i) accesses[i] = at(tensor, i);
  }

 private:
  __device__ __forceinline__ static Access& at(int tensor, int i) {
    Access* const accesses = static_cast<Access*>(shared_memory()) + threadIdx.x;
    return accesses[(tensor * Tile::kAccesses + i) * blockDim.x];
  }
};

#ifndef __CUDACC_RTC__
// ---- Launching

// Launches as many clusters as run at once, at most so many, for aligned rows of so many tensors.
// Returns how many: none if rows are too long, if the GPU has no clusters, or if the kernel was not
// compiled for one that has.
template <typename T, typename... Parameters, typename... Arguments>
int64_t launch_clusters(
    void (*kernel)(Parameters...),
    int64_t size,
    int tensors,
    int64_t most,
    cudaStream_t stream,
    const Arguments&... arguments) {
  constexpr int kTileBytes = kClusterThreads * kClusterAccesses * 16;
  const auto blocks = static_cast<unsigned int>((size * sizeof(T) + kTileBytes - 1) / kTileBytes);
  if (blocks > kMostBlocks) return 0;
  cudaFuncAttributes compiled{};
  cudaFuncGetAttributes(&compiled, kernel);
  if (compiled.ptxVersion < 90) return 0;

  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(kClusterThreads);
  config.dynamicSmemBytes = tensors * kTileBytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tensors * kTileBytes);
  if (blocks > kPortableBlocks) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  }
  int at_once = 0;
  if (cudaOccupancyMaxActiveClusters(&at_once, kernel, &config) != cudaSuccess || at_once == 0) {
    cudaGetLastError();  // a later check would take it for one of a launch
    return 0;
  }
  const int64_t clusters = at_once < most ? at_once : most;
  config.gridDim = dim3(static_cast<unsigned int>(clusters) * blocks);
  cudaLaunchKernelEx(&config, kernel, arguments...);
  return clusters;
}
#endif

}  // namespace {{ project }}
