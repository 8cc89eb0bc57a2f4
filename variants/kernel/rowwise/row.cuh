// How rowwise kernels share rows among threads, and read and write them.
#pragma once

#include "compute.h"
#include "float16.cuh"

namespace {{ project }} {

// The threads of a block with the same threadIdx.y share a row. Along x, a block has a power of two
// up to 32 threads, or whole warps.
constexpr int kMaxRowThreads = 1024;

// How many threads a block has at least, in several rows if one has fewer.
constexpr int kLeastThreads = 128;
constexpr int kBackwardLeastThreads = 256;

// How many accesses a thread has to a row at a time, of 16 bytes each or of one element: as many as
// its registers hold, for a row that fits is read once.
constexpr int kRowAccesses = 4;
constexpr int kBackwardRowAccesses = 2;
constexpr int kElementAccesses = 8;

// ---- Reading and writing

// What a thread reads or writes at once: 16 bytes if all rows begin at a multiple of them.
template <bool kAligned, typename T>
class alignas(16) RowAccess {
 public:
  static constexpr int kSize = 16 / sizeof(T);

  __device__ __forceinline__ void unpack(compute_t<T> (&values)[kSize]) const {
    T elements[kSize];
    memcpy(elements, words_, sizeof(words_));
#pragma unroll
    for (int i = 0; i < kSize; ++i) values[i] = to_compute(elements[i]);
  }

  __device__ __forceinline__ void pack(const compute_t<T> (&values)[kSize]) {
    T elements[kSize];
#pragma unroll
    for (int i = 0; i < kSize; ++i) elements[i] = from_compute<T>(values[i]);
    memcpy(words_, elements, sizeof(words_));
  }

  // From here on the compiler treats the elements as new values. Else it would keep what it
  // unpacked of them before, which for 16-bit types takes twice the registers.
  __device__ __forceinline__ void forget_unpacked() {
#pragma unroll
    for (unsigned int& word : words_) asm volatile("" : "+r"(word));
  }

 private:
  unsigned int words_[4];  // as the registers are, and not an element each
};

// Else an element.
template <typename T>
class RowAccess<false, T> {
 public:
  static constexpr int kSize = 1;

  __device__ __forceinline__ void unpack(compute_t<T> (&values)[1]) const {
    values[0] = to_compute(element_);
  }

  __device__ __forceinline__ void pack(const compute_t<T> (&values)[1]) {
    element_ = from_compute<T>(values[0]);
  }

  __device__ __forceinline__ void forget_unpacked() {}

 private:
  T element_;
};

// What a block holds of a row at a time, and of that the accesses of this thread: neighbouring
// threads have neighbouring ones. Past the end of the row, elements read as zero, and are not
// written.
template <bool kAligned, typename T, int kVectorAccesses>
class RowTile {
 public:
  static constexpr int kAccesses = kAligned ? kVectorAccesses : kElementAccesses;
  using Access = RowAccess<kAligned, T>;

  // Tiles of a row.
  __device__ __forceinline__ static int count(int64_t size) {
    const int64_t tile_size = static_cast<int64_t>(blockDim.x) * kAccesses * Access::kSize;
    return static_cast<int>((size + tile_size - 1) / tile_size);
  }

  __device__ __forceinline__ RowTile(int64_t size, int tile)
      : step_(blockDim.x * Access::kSize),
        first_(static_cast<int64_t>(tile) * kAccesses * step_ + threadIdx.x * Access::kSize) {
    const int64_t left = size - first_, most = kAccesses * step_;
    left_ = static_cast<int>(left < most ? left : most);
  }

  // Whether access i is in the row, and where its first element is.
  __device__ __forceinline__ bool has(int i) const {
    return i * step_ < left_;
  }
  __device__ __forceinline__ int64_t index(int i) const {
    return first_ + i * step_;
  }

  __device__ __forceinline__ void load(const T* row, Access (&accesses)[kAccesses]) const {
#pragma unroll
    for (int i = 0; i < kAccesses; ++i) accesses[i] = at(row, i);
  }
  template <typename Value>
  __device__ __forceinline__ void load(const T* row, int i, Value (&values)[Access::kSize]) const {
    at(row, i).unpack(values);
  }
  __device__ __forceinline__ void store(T* row, int i, const Access& access) const {
    if (has(i)) *reinterpret_cast<Access*>(row + index(i)) = access;
  }

 private:
  __device__ __forceinline__ Access at(const T* row, int i) const {
    return has(i) ? *reinterpret_cast<const Access*>(row + index(i)) : Access{};
  }

  int step_;
  int64_t first_;
  int left_;
};

// ---- Reductions, in the same order each time

template <typename State>
__device__ __forceinline__ void merge_lanes(State& state, int lanes) {
  static_assert(sizeof(State) % 4 == 0, "Give a state members of 4 or 8 bytes.");
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
    unsigned int words[sizeof(State) / 4];
    memcpy(words, &state, sizeof(State));
#pragma unroll
    for (unsigned int& word : words) word = __shfl_xor_sync(0xffffffff, word, offset);
    State other;
    memcpy(&other, words, sizeof(State));
    state.merge(other);
  }
}

// Merges what the threads of each row have, and gives it to all of them: each has merged in an
// order of its own, which is the same each time. All threads of the block have to call it.
template <typename State>
__device__ __forceinline__ void merge_row(State& state) {
  if (blockDim.x <= 32) return merge_lanes(state, blockDim.x);
  merge_lanes(state, 32);
  // Not States: shared memory takes nothing that has a constructor.
  __shared__ double of_warps[32][(sizeof(State) + 7) / 8];
  const int warps = blockDim.x / 32;  // of a row
  const int warp = threadIdx.y * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  __syncthreads();  // since what there is of the row before may still be read
  if (lane == 0) memcpy(of_warps[warp], &state, sizeof(State));
  __syncthreads();
  state = State();
  if (lane < warps) memcpy(&state, of_warps[threadIdx.y * warps + lane], sizeof(State));
  merge_lanes(state, 32);
}

// Sums over the rows of a block, one for each column. They end in memory, in the part of of_blocks
// that is this block's. Until then those of rows with one tile stay in registers. Without
// of_blocks, nothing is added up.
template <typename Tile, typename Value>
class ColumnSums {
  static constexpr int kSize = Tile::Access::kSize;

 public:
  __device__ __forceinline__ ColumnSums(Value* of_blocks, int64_t size, int tiles)
      : of_block_(of_blocks ? of_blocks + blockIdx.x * size : nullptr),
        size_(size),
        in_registers_(tiles <= 1) {
    if (in_registers_ || !of_block_) return;
    for (int64_t i = threadIdx.x; i < size; i += blockDim.x) of_block_[i] = 0;
    __syncthreads();
  }

  // Adds access i of a row.
  __device__ __forceinline__ void add(const Tile& tile, int i, const Value (&values)[kSize]) {
    if (!of_block_ || !tile.has(i)) return;
    if (in_registers_) {
#pragma unroll
      for (int j = 0; j < kSize; ++j) sums_[i][j] += values[j];
    } else {
      Access& sums = *reinterpret_cast<Access*>(of_block_ + tile.index(i));
#pragma unroll
      for (int j = 0; j < kSize; ++j) sums.values[j] += values[j];
    }
  }

  // Adds up the rows of the block. All of its threads have to call it.
  __device__ __forceinline__ void store() {
    if (!in_registers_ || !of_block_) return;
    __shared__ Value of_threads[kMaxRowThreads];
    const Tile tile(size_, 0);
#pragma unroll
    for (int i = 0; i < Tile::kAccesses; ++i) {
#pragma unroll
      for (int j = 0; j < kSize; ++j) {
        __syncthreads();
        of_threads[threadIdx.y * blockDim.x + threadIdx.x] = sums_[i][j];
        __syncthreads();
        if (threadIdx.y != 0 || !tile.has(i)) continue;
        Value sum = 0;
        for (int y = 0; y < blockDim.y; ++y) sum += of_threads[y * blockDim.x + threadIdx.x];
        of_block_[tile.index(i) + j] = sum;
      }
    }
  }

 private:
  // As many bytes as a thread reads or writes at once, if there are as many.
  struct alignas(kSize == 1 ? sizeof(Value) : 16) Access {
    Value values[kSize];
  };

  Value* of_block_;
  int64_t size_;
  bool in_registers_;
  Value sums_[Tile::kAccesses][kSize] = {};
};

// Adds up the sums of all blocks.
constexpr int kSumThreads = 32;
template <typename T>
__global__ void __launch_bounds__(kSumThreads* kSumThreads) sum_blocks_kernel(
    const compute_t<T>* __restrict__ of_blocks,
    T* __restrict__ to,
    int64_t blocks,
    int64_t size) {
  __shared__ compute_t<T> sums[kSumThreads][kSumThreads];
  const int64_t column = static_cast<int64_t>(blockIdx.x) * kSumThreads + threadIdx.x;
  compute_t<T> sum = 0;
  if (column < size) {
    for (int64_t i = threadIdx.y; i < blocks; i += kSumThreads) sum += of_blocks[i * size + column];
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= size) return;
#pragma unroll
  for (int i = 1; i < kSumThreads; ++i) sum += sums[i][threadIdx.x];
  to[column] = from_compute<T>(sum);
}

#ifndef __CUDACC_RTC__
// ---- Launching

// Whether all rows of contiguous tensors begin at a multiple of 16 bytes.
template <typename... T>
bool rows_aligned(int64_t size, const T*... pointers) {
  return (((reinterpret_cast<size_t>(pointers) | size * sizeof(T)) % 16 == 0) && ...);
}

// A block of at least so many threads, as many along x as have a row of this size in so many
// accesses each.
template <typename T>
dim3 row_block(int64_t size, bool aligned, int vector_accesses, unsigned int least_threads) {
  const int thread_elements = aligned ? vector_accesses * 16 / sizeof(T) : kElementAccesses;
  const int64_t needed = (size + thread_elements - 1) / thread_elements;
  unsigned int threads = 1;
  if (needed > kMaxRowThreads) {
    threads = kMaxRowThreads;
  } else if (needed > 32) {
    threads = static_cast<unsigned int>((needed + 31) / 32 * 32);
  } else {
    while (threads < needed) threads *= 2;
  }
  return dim3(threads, threads < least_threads ? least_threads / threads : 1);
}

template <typename T>
void launch_sum_blocks(
    const compute_t<T>* of_blocks,
    T* to,
    int64_t blocks,
    int64_t size,
    cudaStream_t stream) {
  const dim3 block(kSumThreads, kSumThreads);
  const int64_t grid = (size + kSumThreads - 1) / kSumThreads;
  sum_blocks_kernel<T><<<grid, block, 0, stream>>>(of_blocks, to, blocks, size);
}
#endif

}  // namespace {{ project }}
