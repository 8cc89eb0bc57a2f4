// Rows of custom kernels, and of the forward kernels of rowwise operators: how threads share rows,
// and how they read and write rows. A block has several short rows; a cluster of blocks shares a
// long row. The elements that a thread has read stay in registers until the results are written.
// If a row does not fit into registers, all parts except the last are read again.
#pragma once

#include "row.cuh"

namespace KIT_NAMESPACE {

// A row that does not fit into the registers of kUsualRowThreads threads has more blocks, up to
// kMostRowBlocks, which every GPU with clusters supports. If the row does not fit into the
// registers of these blocks, the blocks have more threads.
//
// A kernel with results only for whole rows, such as sums, reads each element once and need not
// keep it in registers. The row then has more blocks only if there are few rows (kBusyBlocks), and
// a block has at most kOnceRowThreads threads: a multiprocessor has more blocks if they are
// smaller, and so has other work when one block ends.
constexpr int kUsualRowThreads = 512;
constexpr int kOnceRowThreads = 256;
constexpr int kMostRowBlocks = 8;
constexpr int kBusyBlocks = 512;
// The most accesses of a thread if less than a warp reads a row. launch_rows doubles the number of
// threads of a row: up to 4 threads while a thread has more than one access, then up to 32 while it
// has more than kShortAccesses. With 32 threads of one access each, too few bytes would be in
// flight. For unaligned rows, the number doubles while a thread has more than kElementAccesses.
constexpr int kShortAccesses = 4;
// The total number of accesses, to all tensors with rows, that a thread has in registers. An
// operator may define another number.
constexpr int kRowAccesses = 8;

// ---- Reading and writing

// The number of adjacent elements in an access to tensors of these types: 16 bytes of the widest
// type.
template <typename... T>
HOST_DEVICE constexpr int neighbours() {
  size_t widest = 1;
  ((widest = sizeof(T) > widest ? sizeof(T) : widest), ...);
  return static_cast<int>(16 / widest);
}

// Rounds as PyTorch does.
template <typename T, typename Value>
__device__ __forceinline__ T rounded(Value value) {
  return static_cast<T>(value);
}

template <typename Value, typename T>
__device__ __forceinline__ Value unpacked(T element) {
  return static_cast<Value>(element);
}
// With a cast, the upper one of two elements would take two instructions.
template <>
__device__ __forceinline__ float unpacked<float>(__nv_bfloat16 element) {
  return __uint_as_float(static_cast<unsigned int>(__bfloat16_as_ushort(element)) << 16);
}

template <int kBytes>
struct word_of {
  using type = uint4;
};
template <>
struct word_of<8> {
  using type = uint2;
};
template <>
struct word_of<4> {
  using type = unsigned int;
};
template <>
struct word_of<2> {
  using type = unsigned short;
};
template <>
struct word_of<1> {
  using type = unsigned char;
};

// Elements that are adjacent in memory.
template <typename T, int kSize>
class Neighbours {
  static constexpr int kBytes = kSize * sizeof(T);
  using Word = typename word_of<kBytes>::type;

 public:
  // The kernel does not write to memory behind a pointer to const, so this load may be moved before
  // an earlier store.
  __device__ __forceinline__ void load(const T* from) {
    Word words[kBytes / sizeof(Word)];
#pragma unroll
    for (int i = 0; i < kBytes / sizeof(Word); ++i) {
      words[i] = __ldg(reinterpret_cast<const Word*>(from) + i);
    }
    memcpy(registers_, words, kBytes);
  }
  __device__ __forceinline__ void load(T* from) {
    Word words[kBytes / sizeof(Word)];
#pragma unroll
    for (int i = 0; i < kBytes / sizeof(Word); ++i) words[i] = reinterpret_cast<Word*>(from)[i];
    memcpy(registers_, words, kBytes);
  }

  __device__ __forceinline__ void store(T* to) const {
    Word words[kBytes / sizeof(Word)];
    memcpy(words, registers_, kBytes);
#pragma unroll
    for (int i = 0; i < kBytes / sizeof(Word); ++i) {
      // With an assignment, nvcc would store single words.
      __stwb(reinterpret_cast<Word*>(to) + i, words[i]);
    }
  }

  template <typename Value>
  __device__ __forceinline__ void unpack(Value (&values)[kSize]) const {
    T elements[kSize];
    memcpy(elements, registers_, kBytes);
#pragma unroll
    for (int j = 0; j < kSize; ++j) values[j] = unpacked<Value>(elements[j]);
  }

  template <typename Value>
  __device__ __forceinline__ void pack(const Value (&values)[kSize]) {
    T elements[kSize];
#pragma unroll
    for (int j = 0; j < kSize; ++j) elements[j] = rounded<T>(values[j]);
    memcpy(registers_, elements, kBytes);
  }

  // Makes the compiler treat the elements as new values, instead of keeping unpacked ones.
  __device__ __forceinline__ void forget_unpacked() {
#pragma unroll
    for (unsigned int& word : registers_) asm volatile("" : "+r"(word));
  }

 private:
  unsigned int registers_[(kBytes + 3) / 4] = {};
};

// ---- Rows

// This thread's row, and the thread's index among the threads that share the row.
struct RowPlace {
  __device__ __forceinline__ RowPlace() {
    unsigned int cluster = blockIdx.x;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
#endif
    row = static_cast<int64_t>(cluster) * blockDim.y + threadIdx.y;
    thread = block * blockDim.x + threadIdx.x;
    threads = blocks * blockDim.x;
  }

  unsigned int block = 0, blocks = 1;
  int64_t row;
  int thread, threads;
};

// A part of a row. Each thread has kAccesses accesses. Adjacent threads have adjacent accesses.
template <int kSize, int kAccesses>
class RowPart {
 public:
  __device__ __forceinline__ static int count(const RowPlace& place, int64_t size) {
    const int64_t part = static_cast<int64_t>(place.threads) * kAccesses * kSize;
    // Most rows have one part, and a 64-bit division takes as long as the math of a short row.
    return size <= part ? 1 : static_cast<int>((size + part - 1) / part);
  }

  __device__ __forceinline__ RowPart(const RowPlace& place, int64_t size, int part)
      : step_(place.threads * kSize),
        first_((static_cast<int64_t>(part) * kAccesses * place.threads + place.thread) * kSize) {
    const int64_t left = size - first_, most = static_cast<int64_t>(kAccesses) * step_;
    left_ = static_cast<int>(left < most ? left : most);
  }

  // Whether access i is in the row. Kernels of unaligned rows call load_columns before they branch
  // on has(i). The compiler moves no load before a branch, and accesses of one element are only
  // fast if many loads are in flight.
  __device__ __forceinline__ bool has(int i) const {
    return i * step_ < left_;
  }
  __device__ __forceinline__ int64_t column(int i) const {
    return first_ + i * step_;
  }

  // Loads this part of a row, or nothing from a null pointer. `row` points to const if the tensor
  // is only read.
  template <typename Pointer, typename T>
  __device__ __forceinline__ void load(Pointer row, Neighbours<T, kSize> (&accesses)[kAccesses])
      const {
#pragma unroll
    for (int i = 0; i < kAccesses; ++i) {
      if (row && has(i)) accesses[i].load(row + column(i));
    }
  }

  // Loads accesses i to i + kCount - 1 of a tensor with one element for each column. Beyond the
  // row, or from a null pointer, loads zeros.
  template <typename T, int kCount>
  __device__ __forceinline__ void load_columns(
      const T* row,
      int i,
      Neighbours<T, kSize> (&accesses)[kCount]) const {
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      accesses[k] = {};
      if (row && i + k < kAccesses && has(i + k)) accesses[k].load(row + column(i + k));
    }
  }

  // Loads the elements of access i, or zeros beyond the row.
  template <typename T, typename Value>
  __device__ __forceinline__ void load(const T* row, int i, Value (&values)[kSize]) const {
    Neighbours<T, kSize> access;
    if (has(i)) access.load(row + column(i));
    access.unpack(values);
  }
  // Loads an optional tensor; a null pointer is an absent tensor.
  template <typename T, typename Value>
  __device__ __forceinline__ void load_optional(const T* row, int i, Value (&values)[kSize]) const {
    if (!row) return;
    load(row, i, values);
  }
  template <typename T, typename Value>
  __device__ __forceinline__ void store(T* row, int i, const Value (&values)[kSize]) const {
    Neighbours<T, kSize> access;
    access.pack(values);
    if (has(i)) access.store(row + column(i));
  }

 private:
  int step_;
  int64_t first_;
  int left_;
};

// Merges the states of a row's threads and returns the result to all these threads. All threads of
// all blocks of the row must construct a RowMerge and call it once. In the call, they wait for each
// other. If the state has no members, nothing is merged, and threads wait only if kWaits.
template <typename State, bool kWaits>
class RowMerge {
  static constexpr bool kMerges = !__is_empty(State);

 public:
  __device__ __forceinline__ explicit RowMerge(const RowPlace& place) : place_(place) {
#if __CUDA_ARCH__ >= 900
    if constexpr (!kMerges && !kWaits) return;
    // Other blocks must have started before their shared memory is written.
    if (place.blocks > 1) asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
  }

  __device__ __forceinline__ void operator()(State& state) const {
    if constexpr (kMerges) {
      merge_row<false>(state);
      merge_blocks(state);
    } else if constexpr (kWaits) {
      __syncthreads();
      if (place_.blocks > 1) wait_for_blocks();
    }
  }

 private:
  __device__ __forceinline__ void merge_blocks(State& state) const {
#if __CUDA_ARCH__ >= 900
    if (place_.blocks == 1) return;
    constexpr int kWords = sizeof(State) / 4;
    __shared__ unsigned int of_blocks[kMostRowBlocks][kWords];
    unsigned int words[kWords];
    memcpy(words, &state, sizeof(State));
    wait_for_blocks();
    if (threadIdx.x < place_.blocks) {
      const void* const mine = of_blocks[place_.block];
      const auto address = static_cast<unsigned int>(__cvta_generic_to_shared(mine));
      unsigned int there;
      asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(threadIdx.x));
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * i), "r"(words[i])
                     : "memory");
      }
    }
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    wait_for_blocks();
    state = State();
    for (unsigned int block = 0; block < place_.blocks; ++block) {
      State other;
      memcpy(&other, of_blocks[block], sizeof(State));
      state.merge(other);
    }
#endif
  }

  __device__ __forceinline__ static void wait_for_blocks() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
  }

  const RowPlace& place_;
};

#ifndef __CUDACC_RTC__
// ---- Launching

// Whether accesses of `neighbours` elements to rows of these tensors are aligned.
template <typename... T>
bool rows_of_neighbours(int64_t size, int neighbours, const T*... tensors) {
  return size % neighbours == 0 && ((reinterpret_cast<size_t>(tensors) % 16 == 0) && ...);
}

// Launches a kernel whose threads each have `accesses` accesses of `neighbours` elements to a row,
// or if `neighbours` is 1, kElementAccesses of single elements. `once`: the kernel reads each
// element once, and does not keep it. If the accesses of all threads cover a whole row,
// of_whole_rows is launched instead of kernel; both may be the same.
template <typename... Parameters, typename... Arguments>
cudaError_t launch_rows(
    void (*kernel)(Parameters...),
    void (*of_whole_rows)(Parameters...),
    int64_t rows,
    int64_t size,
    int accesses,
    int neighbours,
    bool once,
    cudaStream_t stream,
    const Arguments&... arguments) {
  if (neighbours == 1) accesses = kElementAccesses;
  const int64_t all = (size + neighbours - 1) / neighbours;
  int64_t threads = 1, blocks = 1;
  if (all <= 32 * accesses) {
    const int each = neighbours == 1 ? kElementAccesses : kShortAccesses;
    while (threads < 32 && threads * (threads < 4 && neighbours > 1 ? 1 : each) < all) threads *= 2;
  } else {
    const int64_t needed = (all + accesses - 1) / accesses;
    cudaFuncAttributes compiled{};
    cudaFuncGetAttributes(&compiled, kernel);
    const int most = compiled.ptxVersion < 90 ? 1 : kMostRowBlocks;
    const int64_t enough = once ? kBusyBlocks / rows : most;
    const int usual = once ? kOnceRowThreads : kUsualRowThreads;
    while (blocks < most && blocks <= enough && needed > blocks * usual) blocks *= 2;
    threads = (needed + blocks * 32 - 1) / (blocks * 32) * 32;
    const int most_threads = once ? usual : kMaxRowThreads;
    if (threads > most_threads) threads = most_threads;
  }

  if (all <= threads * blocks * accesses) kernel = of_whole_rows;

  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  const auto width = static_cast<unsigned int>(threads);
  const auto cluster = static_cast<unsigned int>(blocks);
  attribute.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(width, width < kLeastThreads ? kLeastThreads / width : 1);
  const auto groups = static_cast<unsigned int>((rows + config.blockDim.y - 1) / config.blockDim.y);
  config.gridDim = dim3(groups * cluster);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = blocks > 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}
#endif

}  // namespace KIT_NAMESPACE
