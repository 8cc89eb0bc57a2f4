// Rows: how rowwise kernels share rows among threads, and read and write them.
#pragma once

#include "cuda_types.cuh"

namespace KIT_NAMESPACE {

// The threads of a block with the same threadIdx.y share a row. The number of these threads is a
// power of two up to 32, or a multiple of 32.
constexpr int kMaxRowThreads = 1024;

// A block has as many rows as fit into this number of threads, and at least one. The second number
// is for kernels that sum gradients for each column.
constexpr int kLeastThreads = 128;
constexpr int kBackwardLeastThreads = 256;

// The number of a thread's accesses to a row that is not aligned. Each access has one element.
constexpr int kElementAccesses = 8;
// The number of a thread's accesses to an aligned row in kernels that sum gradients for each
// column. Each access has 16 bytes. Registers hold no more accesses beside the sums.
constexpr int kBackwardRowAccesses = 2;

// ---- Reading and writing

// Unpacks the two elements of a word. For bfloat16, this is one instruction for each element; with
// to_opmath, the upper element takes two.
template <typename T>
__device__ __forceinline__ void unpack_pair(unsigned int word, float& first, float& second) {
  T elements[2];
  memcpy(elements, &word, sizeof(word));
  first = to_opmath(elements[0]);
  second = to_opmath(elements[1]);
}
template <>
__device__ __forceinline__ void unpack_pair<__nv_bfloat16>(
    unsigned int word,
    float& first,
    float& second) {
  first = __uint_as_float(word << 16);
  second = __uint_as_float(word & 0xffff0000);
}

// The values of an access, in the type to compute in.
template <typename T, int kSize>
struct Values {
  opmath_t<T> elements[kSize];

  __device__ __forceinline__ opmath_t<T>& operator[](int i) {
    return elements[i];
  }
  __device__ __forceinline__ const opmath_t<T>& operator[](int i) const {
    return elements[i];
  }
};

// An access reads or writes 16 bytes if all rows begin at multiples of 16 bytes.
template <bool kAligned, typename T>
class alignas(16) RowAccess {
 public:
  static constexpr int kSize = 16 / sizeof(T);

  __device__ __forceinline__ Values<T, kSize> unpack() const {
    Values<T, kSize> values;
    if constexpr (sizeof(T) == 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i) unpack_pair<T>(words_[i], values[2 * i], values[2 * i + 1]);
    } else {
      memcpy(values.elements, words_, sizeof(words_));
    }
    return values;
  }

  __device__ __forceinline__ void pack(const Values<T, kSize>& values) {
    T elements[kSize];
#pragma unroll
    for (int i = 0; i < kSize; ++i) elements[i] = from_opmath<T>(values[i]);
    memcpy(words_, elements, sizeof(words_));
  }

  // Makes the compiler treat the elements as new values. Otherwise it would keep unpacked 16-bit
  // elements, which need twice as many registers.
  __device__ __forceinline__ Values<T, kSize> unpack_again() {
#pragma unroll
    for (unsigned int& word : words_) asm volatile("" : "+r"(word));
    return unpack();
  }

 private:
  unsigned int words_[4];  // whole registers, not single elements
};

// An access to rows that are not aligned reads or writes one element.
template <typename T>
class RowAccess<false, T> {
 public:
  static constexpr int kSize = 1;

  __device__ __forceinline__ Values<T, 1> unpack() const {
    return {to_opmath(element_)};
  }

  __device__ __forceinline__ void pack(const Values<T, 1>& values) {
    element_ = from_opmath<T>(values[0]);
  }

  __device__ __forceinline__ Values<T, 1> unpack_again() {
    return unpack();
  }

 private:
  T element_;
};

// A tile is a block's part of a row; this thread has kAccesses accesses to it. Adjacent threads
// have adjacent accesses. Beyond the end of the row, elements are read as zero and not written.
template <bool kAligned, typename T, int kVectorAccesses>
class RowTile {
 public:
  static constexpr int kAccesses = kAligned ? kVectorAccesses : kElementAccesses;
  using Access = RowAccess<kAligned, T>;

  // The number of tiles of a row, and the first column of a tile.
  __device__ __forceinline__ static int count(int64_t size) {
    return static_cast<int>((size + start(1) - 1) / start(1));
  }
  __device__ __forceinline__ static int64_t start(int tile) {
    return static_cast<int64_t>(tile) * blockDim.x * kAccesses * Access::kSize;
  }

  __device__ __forceinline__ RowTile(int64_t size, int tile)
      : RowTile(size, start(tile) + threadIdx.x * Access::kSize, blockDim.x * Access::kSize) {}

  // For a thread whose accesses begin at column `first` and are `step` columns apart.
  __device__ __forceinline__ RowTile(int64_t size, int64_t first, int step)
      : step_(step), first_(first) {
    const int64_t left = size - first_, most = kAccesses * step_;
    left_ = static_cast<int>(left < most ? left : most);
  }

  // Whether access i is in the row, and the place of its first element.
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
  __device__ __forceinline__ Values<T, Access::kSize> load(const T* row, int i) const {
    return at(row, i).unpack();
  }
  // Loads an optional tensor. If the tensor is absent, the values are zeros, which nothing reads.
  __device__ __forceinline__ Values<T, Access::kSize> load_optional(const T* row, int i) const {
    const bool there = row && has(i);
    const Access access = there ? *reinterpret_cast<const Access*>(row + index(i)) : Access{};
    return access.unpack();
  }
  __device__ __forceinline__ void store(T* row, int i, const Values<T, Access::kSize>& values)
      const {
    Access access;
    access.pack(values);
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

// ---- Shared memory of a block

// Returns the dynamic shared memory of the block. ColumnSums holds the sums of the last tile in
// registers; if a row has more tiles, this memory holds the sums of as many of them as fit.
// CopiedTiles (cluster.cuh) holds tiles of rows in this memory.
__device__ __forceinline__ void* shared_memory() {
  extern __shared__ uint4 kept_memory[];
  return kept_memory;
}

// ---- Reductions, in a fixed order

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

// Merges the states of a row's threads, and returns the result to each of them. The order of merges
// differs between threads, but is the same in every run. All threads of the block must call it. A
// kernel that calls it only once passes kAgain = false: then the call does not wait until all
// threads have read an earlier state.
template <bool kAgain = true, typename State>
__device__ __forceinline__ void merge_row(State& state) {
  if (blockDim.x <= 32) return merge_lanes(state, blockDim.x);
  merge_lanes(state, 32);
  // Not of type State, because variables in shared memory must not have constructors.
  __shared__ double of_warps[32][(sizeof(State) + 7) / 8];
  const int warps = blockDim.x / 32;  // of a row
  const int warp = threadIdx.y * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if constexpr (kAgain) __syncthreads();  // threads may still read the state of the previous row
  if (lane == 0) memcpy(of_warps[warp], &state, sizeof(State));
  __syncthreads();
  state = State();
  if (lane < warps) memcpy(&state, of_warps[threadIdx.y * warps + lane], sizeof(State));
  merge_lanes(state, 32);
}

// The sum of each column over the rows of a block. At the end, `store` writes the sums to this
// block's part of of_parts, in global memory. Sums that fit neither into registers nor into shared
// memory are in of_parts from the start. If of_parts is null, nothing is added up.
template <typename Tile, typename T>
class ColumnSums {
  using Value = opmath_t<T>;
  static constexpr int kSize = Tile::Access::kSize;

 public:
  // For a block that handles only one tile of each row: `tile`.
  __device__ __forceinline__ ColumnSums(Value* of_parts, int64_t part, int64_t size, int tile)
      : of_part_(of_parts ? of_parts + part * size : nullptr), size_(size), last_(tile) {}

  // For rows of several tiles. In shared memory, the sums of `kept` tiles follow the sums of
  // `before` other tensors.
  __device__ __forceinline__
  ColumnSums(Value* of_parts, int64_t size, int last, int64_t kept, int before)
      : ColumnSums(of_parts, blockIdx.x, size, last) {
    shared_ = static_cast<Value*>(shared_memory()) + before * Tile::start(kept);
    kept_ = kept;
    if (last <= 0 || !of_part_) return;
    for (int64_t i = threadIdx.x; i < Tile::start(last); i += blockDim.x) {
      (i < Tile::start(kept) ? shared_ : of_part_)[i] = 0;
    }
    __syncthreads();
  }

  // Adds access i of a row's tile t.
  __device__ __forceinline__ void add(
      const Tile& tile,
      int t,
      int i,
      const Values<T, kSize>& values) {
    if (!of_part_ || !tile.has(i)) return;
    if (t == last_) {
      sums_[i].add(values);
    } else {
      Value* const sums = t < kept_ ? shared_ : of_part_;
      reinterpret_cast<Sums*>(sums + tile.index(i))->add(values);
    }
  }

  // Adds up the sums of the threads with the same threadIdx.x, and writes the results. All threads
  // of the block must call it.
  __device__ __forceinline__ void store() {
    if (!of_part_) return;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < Tile::start(kept_); i += blockDim.x) {
      of_part_[i] = shared_[i];
    }
    const Tile tile(size_, last_);
#pragma unroll
    for (int i = 0; i < Tile::kAccesses; ++i) {
      if (blockDim.y > 1) add_rows(sums_[i]);
      if (threadIdx.y > 0 || !tile.has(i)) continue;
      *reinterpret_cast<Sums*>(of_part_ + tile.index(i)) = sums_[i];
    }
  }

 private:
  // The sums of an access, read and written 16 bytes at a time if possible.
  struct alignas(kSize == 1 ? sizeof(Value) : 16) Sums {
    Values<T, kSize> values;

    __device__ __forceinline__ void add(const Values<T, kSize>& others) {
#pragma unroll
      for (int j = 0; j < kSize; ++j) values[j] += others[j];
    }
  };

  __device__ __forceinline__ static void add_rows(Sums& sums) {
    // a block with several rows has at most this number of threads
    __shared__ Sums of_threads[kBackwardLeastThreads];
    __syncthreads();
    of_threads[threadIdx.y * blockDim.x + threadIdx.x] = sums;
    __syncthreads();
    if (threadIdx.y > 0) return;
#pragma unroll 1  // runs once for each block, so unrolling is not worth the compile time
    for (int y = 1; y < blockDim.y; ++y) sums.add(of_threads[y * blockDim.x + threadIdx.x].values);
  }

  Value* of_part_;
  int64_t size_;
  int last_;
  Value* shared_ = nullptr;
  int64_t kept_ = 0;
  Sums sums_[Tile::kAccesses] = {};
};

// Adds up the sums of all blocks. The threads of a block with the same threadIdx.x share a column.
// With many columns, fewer threads share a column, because there are enough columns to occupy the
// GPU.
constexpr int kSumThreads = 32;
constexpr int kManyColumns = 32768;
template <typename T>
__global__ void __launch_bounds__(kSumThreads* kSumThreads) sum_blocks_kernel(
    const opmath_t<T>* __restrict__ of_blocks,
    T* __restrict__ to,
    int64_t blocks,
    int64_t size) {
  __shared__ opmath_t<T> sums[kSumThreads][kSumThreads];
  const int64_t column = static_cast<int64_t>(blockIdx.x) * kSumThreads + threadIdx.x;
  opmath_t<T> sum = 0;
  if (column < size) {
    for (int64_t i = threadIdx.y; i < blocks; i += blockDim.y) sum += of_blocks[i * size + column];
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= size) return;
  for (int i = 1; i < blockDim.y; ++i) sum += sums[i][threadIdx.x];
  to[column] = from_opmath<T>(sum);
}

#ifndef __CUDACC_RTC__
// ---- Launching

// Whether all rows of contiguous tensors begin at a multiple of 16 bytes.
template <typename... T>
bool rows_aligned(int64_t size, const T*... pointers) {
  return (((reinterpret_cast<size_t>(pointers) | size * sizeof(T)) % 16 == 0) && ...);
}

// The launch of a kernel for rows of one size.
struct RowLaunch {
  dim3 block;
  int64_t tiles;  // of a row
  int64_t kept;   // the tiles whose sums are in shared memory
  size_t shared_bytes;
};

// A row has as many threads as it needs, up to kMaxRowThreads; a block has as many rows as fit into
// kBackwardLeastThreads threads, and at least one. An element of a kept tile needs `kept_bytes`
// bytes of shared memory.
template <typename T, typename Kernel>
RowLaunch row_launch(Kernel kernel, int64_t size, bool aligned, int kept_bytes) {
  const int thread_elements = aligned ? kBackwardRowAccesses * 16 / sizeof(T) : kElementAccesses;
  const int64_t needed = (size + thread_elements - 1) / thread_elements;
  unsigned int threads = 1;
  if (needed > kMaxRowThreads) {
    threads = kMaxRowThreads;
  } else if (needed > 32) {
    threads = static_cast<unsigned int>((needed + 31) / 32 * 32);
  } else {
    while (threads < needed) threads *= 2;
  }
  const dim3 block(threads, threads < kBackwardLeastThreads ? kBackwardLeastThreads / threads : 1);
  const int64_t tiles = (needed + threads - 1) / threads;
  if (tiles <= 1) return {block, tiles, 0, 0};

  int device = 0, most = 0;
  cudaFuncAttributes attributes{};
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaFuncGetAttributes(&attributes, kernel);
  const int64_t tile_bytes = static_cast<int64_t>(threads) * thread_elements * kept_bytes;
  most -= static_cast<int>(attributes.sharedSizeBytes);
  const int64_t room = most / tile_bytes;
  const int64_t kept = room < tiles - 1 ? room : tiles - 1;
  // The limit is the same for rows of all sizes, because another thread may launch the kernel at
  // the same time.
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  return {block, tiles, kept, static_cast<size_t>(kept * tile_bytes)};
}

template <typename T>
void launch_sum_blocks(
    const opmath_t<T>* of_blocks,
    T* to,
    int64_t blocks,
    int64_t size,
    cudaStream_t stream) {
  const dim3 block(kSumThreads, size < kManyColumns ? kSumThreads : kSumThreads / 4);
  const auto grid = static_cast<unsigned int>((size + kSumThreads - 1) / kSumThreads);
  sum_blocks_kernel<T><<<grid, block, 0, stream>>>(of_blocks, to, blocks, size);
}
#endif

}  // namespace KIT_NAMESPACE
