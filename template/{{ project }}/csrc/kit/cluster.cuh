// Long rows on Hopper and later GPUs: each block of a cluster has a tile of a row, and the blocks
// exchange their partial results. A row is read only once, and the next row is read while this one
// is computed.
#pragma once

#include "row.cuh"

namespace KIT_NAMESPACE {

// Threads in a block, and accesses of a thread to a row: 32 elements. If each thread also has 32
// sums of columns, a multiprocessor has registers for one block of this size. Half of a thread's
// accesses move to registers. While this row is computed, the same half of the next row is copied
// to the place that they leave in shared memory. The other half stays in shared memory until its
// results are written.
constexpr int kClusterThreads = 512;
template <typename T>
constexpr int kClusterAccesses = 2 * sizeof(T);
// Every GPU with clusters supports clusters of 8 blocks; some, such as Hopper, support 16 if a
// kernel asks for it.
constexpr int kPortableBlocks = 8, kMostBlocks = 16;

#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned int shared_address(const void* pointer) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
}

// Initializes two barriers. In each phase, one thread arrives at a barrier and states how many
// bytes the barrier must wait for.
__device__ __forceinline__ void make_barriers(unsigned int first, unsigned int second) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(first));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(second));
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Waits until the barrier's phase is over.
__device__ __forceinline__ void wait_at(unsigned int barrier, unsigned int phase) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
          barrier),
      "r"(phase)
      : "memory");
}

// The cluster of this block, and the block's index in the cluster. Blocks write into each other's
// shared memory, where a barrier counts the bytes that arrive. A barrier of the whole cluster would
// also wait until the results of all earlier rows are written.
class Cluster {
 public:
  __device__ __forceinline__ Cluster() {
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank_));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks_));
    if (threadIdx.x == 0) {
      make_barriers(barrier(0), barrier(1));
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  }

  __device__ __forceinline__ int rank() const {
    return rank_;
  }
  // The index of this cluster, and the number of clusters.
  __device__ __forceinline__ int64_t index() const {
    return blockIdx.x / blocks_;
  }
  __device__ __forceinline__ int64_t count() const {
    return gridDim.x / blocks_;
  }

  // Merges the states of the cluster's blocks, always in the same order, and returns the result to
  // each block. All threads of the cluster must call it, each with the state of its block.
  template <typename State>
  __device__ __forceinline__ void merge(State& state) {
    constexpr int kWords = sizeof(State) / 4;
    // Two buffers, because the states of the next call may arrive while threads still read the
    // states of this call.
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
    wait_at(barrier(odd), phase);
    state = State();
    const unsigned int block = threadIdx.x % kMostBlocks;
    if (block < blocks_) memcpy(&state, of_blocks[odd][block], sizeof(State));
    merge_lanes(state, kMostBlocks);
  }

 private:
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

#if __CUDA_ARCH__ >= 900
// A block's tile of a row. The accesses of a warp are adjacent and are copied together.
template <typename T>
class ClusterTile : public RowTile<true, T, kClusterAccesses<T>> {
  using Tile = RowTile<true, T, kClusterAccesses<T>>;
  static constexpr int kStep = 32 * Tile::Access::kSize;

 public:
  static constexpr int kHeld = Tile::kAccesses / 2;

  __device__ __forceinline__ ClusterTile(int64_t size, int tile)
      : Tile(size, warp_start(tile) + threadIdx.x % 32 * Tile::Access::kSize, kStep) {
    const int64_t left = size - warp_start(tile), most = Tile::kAccesses * kStep;
    warp_left_ = static_cast<int>(left < 0 ? 0 : (left < most ? left : most));
  }

  // The number of bytes of the row that this warp reads with accesses i to i + `accesses` - 1.
  __device__ __forceinline__ unsigned int warp_bytes(int i, int accesses) const {
    const int left = warp_left_ - i * kStep, most = accesses * kStep;
    return left < 0 ? 0 : (left < most ? left : most) * sizeof(T);
  }

 private:
  __device__ __forceinline__ static int64_t warp_start(int tile) {
    return Tile::start(tile) + threadIdx.x / 32 * Tile::kAccesses * kStep;
  }

  int warp_left_;
};

// Tiles of several tensors: the first kRows tensors have rows, and the others have one element for
// each column. The tiles of this row are copied to shared memory. Part 0 then moves to registers,
// so the next row's part 0 can be copied while this row is computed. A warp copies the elements
// that its threads read, in two parts, each with its own barrier. If each thread copied its own
// accesses (cp.async), its other loads would wait behind these copies.
template <typename Tile, int kRows>
class CopiedTiles {
  using Access = typename Tile::Access;
  static constexpr int kHeld = Tile::kHeld;

 public:
  __device__ __forceinline__ explicit CopiedTiles(const Tile& tile) : tile_(tile) {
    if (threadIdx.x % 32 == 0) {
      make_barriers(barrier(0), barrier(1));
    }
    __syncwarp();
  }

  // Begins to copy part 0, the accesses that are held in registers, or part 1, the others. Each
  // thread must have read the earlier contents of the part before it calls this.
  template <typename... T>
  __device__ __forceinline__ void copy(int part, const T*... rows) const {
    const int i = part * kHeld;
    const unsigned int bytes = this->bytes(part);
    __syncwarp();
    if (threadIdx.x % 32 != 0 || bytes == 0) return;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier(part)),
                 "r"(kRows * bytes)
                 : "memory");
    int tensor = 0;
    (copy_bytes(&place(tensor++, i), rows + tile_.index(i), bytes, barrier(part)), ...);
  }

  // Waits until a part of this row is copied. If it is part 0, loads it into registers.
  __device__ __forceinline__ void get(int part) {
    if (bytes(part) > 0) {
      wait_at(barrier(part), phase_ >> part & 1);
      phase_ ^= 1 << part;
    }
    if (part == 1) return;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      for (int tensor = 0; tensor < kRows; ++tensor) held_[tensor][i] = place(tensor, i);
    }
  }

  // Stores a tensor with one element for each column in shared memory, for the math of all rows.
  template <typename T>
  __device__ __forceinline__ void put(int tensor, const T* columns) const {
    Access accesses[Tile::kAccesses];
    tile_.load(columns, accesses);
#pragma unroll
    for (int i = 0; i < Tile::kAccesses; ++i) place(tensor, i) = accesses[i];
  }

  // This thread's access i of a tensor's tile.
  __device__ __forceinline__ Access access(int tensor, int i) const {
    return tensor < kRows && i < kHeld ? held_[tensor][i] : place(tensor, i);
  }

 private:
  __device__ __forceinline__ unsigned int bytes(int part) const {
    return tile_.warp_bytes(part * kHeld, part == 0 ? kHeld : Tile::kAccesses - kHeld);
  }

  __device__ __forceinline__ static Access& place(int tensor, int i) {
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    Access* const accesses = static_cast<Access*>(shared_memory());
    return accesses[((tensor * warps + warp) * Tile::kAccesses + i) * 32 + lane];
  }

  __device__ __forceinline__ static unsigned int barrier(int part) {
    __shared__ unsigned long long barriers[2][kClusterThreads / 32];
    return shared_address(&barriers[part][threadIdx.x / 32]);
  }

  __device__ __forceinline__ static void copy_bytes(
      void* to,
      const void* from,
      unsigned int bytes,
      unsigned int counted) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(counted)
        : "memory");
  }

  const Tile& tile_;
  Access held_[kRows][kHeld];
  unsigned int phase_ = 0;
};
#endif

// ---- Launching

// Launches as many clusters as run at the same time, up to a maximum, for aligned rows of several
// tensors. Returns the number of clusters: 0 if rows are too long, if the tiles of all tensors do
// not fit into shared memory, if the GPU has no clusters, or if the kernel was not compiled for
// such a GPU.
template <typename T, typename... Parameters, typename... Arguments>
int64_t launch_clusters(
    void (*kernel)(Parameters...),
    int64_t size,
    int tensors,
    int64_t most,
    cudaStream_t stream,
    const Arguments&... arguments) {
  constexpr int kTileBytes = kClusterThreads * kClusterAccesses<T> * 16;
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
    cudaGetLastError();  // a later check would take this error for an error of a launch
    return 0;
  }
  const int64_t clusters = at_once < most ? at_once : most;
  config.gridDim = dim3(static_cast<unsigned int>(clusters) * blocks);
  cudaLaunchKernelEx(&config, kernel, arguments...);
  return clusters;
}

}  // namespace KIT_NAMESPACE
