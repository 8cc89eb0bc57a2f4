// How kernels that multiply matrices share the product among threads.
#pragma once

#include "compute.h"
#include "float16.cuh"

namespace {{ project }} {

// ---- Copies to shared memory

// Copies kSize neighbours, or writes as many zeros. From sm_80 on, copies of 4 bytes or more go on
// by themselves.
template <int kSize, typename T>
__device__ __forceinline__ void copy_or_zero(T* to, const T* from, bool exists) {
  constexpr int kBytes = kSize * sizeof(T);
#if __CUDA_ARCH__ >= 800
  if constexpr (kBytes >= 4) {
    const auto shared = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    const int bytes = exists ? kBytes : 0;
    if constexpr (kBytes == 16) {
      asm volatile(
          "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes));
    } else {
      asm volatile(
          "cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from), "n"(kBytes),
          "r"(bytes));
    }
    return;
  }
#endif
  struct alignas(kBytes) Access {
    T elements[kSize];
  } access{};
  if (exists) access = *reinterpret_cast<const Access*>(from);
  *reinterpret_cast<Access*>(to) = access;
}

__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}

// Waits until at most so many groups of copies go on.
template <int kGroups>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
#endif
}

// ---- Tiles

// The tile of the product that a block computes. A Math is how its threads share that, and where
// tiles of the factors lie in shared memory. Of kStages such tiles, one is multiplied while the
// others are copied. Copies are of 16 bytes, or of one element if not kAligned. With kParts, a grid
// may have several blocks for a tile, one above the other, each for a part of the depth.
template <typename Math, int kStages, bool kAligned, bool kParts_ = true>
class ProductTile {
  using T = typename Math::Element;
  using Value = compute_t<T>;
  static constexpr int kDepth = Math::kDepth;
  static constexpr int kAccess = kAligned ? 16 / sizeof(T) : 1;
  static constexpr int kNeighbours = Math::kNeighbours;

 public:
  static constexpr int kRows = Math::kRows, kColumns = Math::kColumns;
  static constexpr int kThreads = Math::kThreads, kBlocks = Math::kBlocks;
  static constexpr bool kParts = kParts_;

  // Blocks that run at the same time have tiles near each other, up to 8 down, and so find the same
  // rows of a and columns of b in the cache.
  __device__ __forceinline__ ProductTile(int64_t rows, int64_t columns)
      : rows_(rows), columns_(columns) {
    constexpr unsigned int kDown = 8;
    const auto across = static_cast<unsigned int>((columns + kColumns - 1) / kColumns);
    const auto down = static_cast<unsigned int>((rows + kRows - 1) / kRows);
    const unsigned int first = blockIdx.x / (kDown * across) * kDown;
    const unsigned int index = blockIdx.x % (kDown * across);
    const unsigned int height = down - first < kDown ? down - first : kDown;
    row_ = static_cast<int64_t>(first + index % height) * kRows;
    column_ = static_cast<int64_t>(index / height) * kColumns;
  }

  // Tiles of a product.
  static constexpr int64_t count(int64_t rows, int64_t columns) {
    return ((rows + kRows - 1) / kRows) * ((columns + kColumns - 1) / kColumns);
  }

  // Multiplies the depth, or this block's part of it.
  __device__ __forceinline__ void multiply(const T* a, const T* b, int64_t depth) {
    constexpr int kAhead = kStages - 1;
    __shared__ typename Math::Stage stages[kStages];
    const int64_t steps = (depth + kDepth - 1) / kDepth;
    const int64_t first = blockIdx.y * steps / gridDim.y;
    const int64_t last = (blockIdx.y + 1) * steps / gridDim.y;
    const auto copy = [&](int64_t step, int stage) {
      if (step < last) copy_step(a, b, depth, step * kDepth, stages[stage]);
      commit_copies();
    };
#pragma unroll 1
    for (int i = 0; i < kAhead; ++i) copy(first + i, i);
    int stage = 0;
    for (int64_t step = first; step < last; ++step) {
      wait_for_copies<kAhead - 1>();
      __syncthreads();
      math_.multiply(stages[stage]);
      // Behind the math, for else it would have to wait until all copies are on their way.
      copy(step + kAhead, (stage + kAhead) % kStages);
      stage = (stage + 1) % kStages;
    }
  }

  // Writes what body makes of each element of the product, given its column.
  template <typename To, typename Body>
  __device__ __forceinline__ void store(To* to, const Body& body) const {
    struct alignas(kNeighbours * sizeof(To)) Access {
      To elements[kNeighbours];
    };
#pragma unroll
    for (int i = 0; i < Math::kThreadRows; ++i) {
      const int64_t row = row_ + Math::row(i);
      if (row >= rows_) return;
#pragma unroll
      for (int j = 0; j < Math::kThreadColumns; j += kNeighbours) {
        const int64_t column = column_ + Math::column(j), left = columns_ - column;
        Access access;
#pragma unroll
        for (int n = 0; n < kNeighbours; ++n) {
          if (n < left) access.elements[n] = body(math_.product(i, j + n), column + n);
        }
        To* const place = to + row * columns_ + column;
        if (kAligned && left > 0) *reinterpret_cast<Access*>(place) = access;
#pragma unroll
        for (int n = 0; n < kNeighbours; ++n) {
          if (!kAligned && n < left) place[n] = access.elements[n];
        }
      }
    }
  }

 private:
  // Copies a step's tiles of both factors. What is beyond them becomes zero.
  __device__ __forceinline__ void copy_step(
      const T* a,
      const T* b,
      int64_t depth,
      int64_t start,
      typename Math::Stage& stage) const {
    copy_tile<kRows, kDepth>(
        a + row_ * depth + start, depth, rows_ - row_, depth - start, [&](int row, int k) {
          return stage.place_a(row, k);
        });
    copy_tile<kDepth, kColumns>(
        b + start * columns_ + column_, columns_, depth - start, columns_ - column_,
        [&](int k, int column) {
          return stage.place_b(k, column);
        });
  }

  // Copies a tile of a matrix whose rows are pitch apart, and of which so much is left from there
  // on. A thread copies from one column.
  template <int kHeight, int kWidth, typename Place>
  __device__ __forceinline__ static void copy_tile(
      const T* from,
      int64_t pitch,
      int64_t rows_left,
      int64_t columns_left,
      const Place& place) {
    constexpr int kStep = kThreads * kAccess / kWidth;
    static_assert(kThreads * kAccess % kWidth == 0 && kHeight % kStep == 0);
    const int row = threadIdx.x * kAccess / kWidth, column = threadIdx.x * kAccess % kWidth;
    const int64_t height = column < columns_left ? rows_left : 0;
    from += row * pitch + column;
#pragma unroll
    for (int i = 0; i < kHeight; i += kStep) {
      copy_or_zero<kAccess>(place(row + i, column), from + i * pitch, row + i < height);
    }
  }

  int64_t rows_, columns_, row_, column_;
  Math math_;
};

// ---- Math on CUDA cores

template <typename T, int kRows_, int kColumns_, int kDepth_, int kThreads_, int kBlocks_>
class CudaCoreMath {
 public:
  using Element = T;
  static constexpr int kRows = kRows_, kColumns = kColumns_, kDepth = kDepth_;
  static constexpr int kThreads = kThreads_, kBlocks = kBlocks_;
  static constexpr int kNeighbours = 16 / sizeof(T);

  // Of the tile, a thread has as many rows as columns. The threads of a warp are 8 down and 4
  // across, and each has kNeighbours columns at a time.
  static constexpr int kThreadRows = kRows * kColumns / kThreads >= 64 ? 8 : 4;
  static constexpr int kThreadColumns = kThreadRows;
  __device__ __forceinline__ static int row(int i) {
    return (threadIdx.x / 32 / kWarpsAcross * kSize + i) * 8 + threadIdx.x % 32 / 4;
  }
  __device__ __forceinline__ static int column(int j) {
    const int warp = threadIdx.x / 32 % kWarpsAcross;
    return (warp * kSize + j) * 4 + threadIdx.x % 4 * kNeighbours;
  }
  __device__ __forceinline__ T product(int i, int j) const {
    return sums_[i][j];
  }

  // Rows of a are padded, so that the threads of a warp read from different banks.
  struct Stage {
    alignas(16) T a[kRows][kDepth + kNeighbours];
    alignas(16) T b[kDepth][kColumns];
    __device__ __forceinline__ T* place_a(int row, int k) {
      return &a[row][k];
    }
    __device__ __forceinline__ T* place_b(int k, int column) {
      return &b[k][column];
    }
  };

  __device__ __forceinline__ void multiply(const Stage& stage) {
#pragma unroll
    for (int k = 0; k < kDepth; k += kNeighbours) {
      Vector a[kSize], b[kSize / kNeighbours];
#pragma unroll
      for (int i = 0; i < kSize; ++i) a[i] = reinterpret_cast<const Vector&>(stage.a[row(i)][k]);
#pragma unroll
      for (int n = 0; n < kNeighbours; ++n) {
#pragma unroll
        for (int j = 0; j < kSize; j += kNeighbours) {
          b[j / kNeighbours] = reinterpret_cast<const Vector&>(stage.b[k + n][column(j)]);
        }
#pragma unroll
        for (int i = 0; i < kSize; ++i) {
#pragma unroll
          for (int j = 0; j < kSize; ++j) {
            sums_[i][j] += a[i].elements[n] * b[j / kNeighbours].elements[j % kNeighbours];
          }
        }
      }
    }
  }

 private:
  struct alignas(16) Vector {
    T elements[kNeighbours];
  };

  static constexpr int kSize = kThreadRows;
  static constexpr int kWarpsAcross = kColumns / (4 * kSize);
  static_assert(kSize * kSize * kThreads == kRows * kColumns);

  T sums_[kSize][kSize] = {};
};

// ---- Math on tensor cores, for 16-bit types

template <typename T>
constexpr bool kIsBfloat16 = false;
template <>
constexpr bool kIsBfloat16<__nv_bfloat16> = true;

template <typename T, int kRows_, int kColumns_, int kDepth_, int kThreads_, int kBlocks_>
class TensorCoreMath {
 public:
  using Element = T;
  static constexpr int kRows = kRows_, kColumns = kColumns_, kDepth = kDepth_;
  static constexpr int kThreads = kThreads_, kBlocks = kBlocks_;
  static constexpr int kNeighbours = 2;

  // Warps are 2 across. Of its warp's rows a thread has every 8th, and of its columns two
  // neighbours in 8: as mma.m16n8k16 gives them.
  static constexpr int kWarpColumns = kColumns / 2, kWarpRows = kRows / (kThreads / 64);
  static constexpr int kThreadRows = kWarpRows / 8, kThreadColumns = kWarpColumns / 4;
  static_assert(kWarpRows % 16 == 0 && kWarpColumns % 16 == 0 && kDepth % 16 == 0);
  static_assert(kColumns % 64 == 0);
  __device__ __forceinline__ static int row(int i) {
    return warp_row() + i * 8 + threadIdx.x % 32 / 4;
  }
  __device__ __forceinline__ static int column(int j) {
    return warp_column() + j / 2 * 8 + threadIdx.x % 4 * 2 + j % 2;
  }
  __device__ __forceinline__ float product(int i, int j) const {
    return sums_[i / 2][j / 2][i % 2 * 2 + j % 2];
  }

  // The 8 rows that are read at once lie in different banks: chunks of 8 elements have another
  // order in each.
  struct Stage {
    alignas(16) T a[kRows * kDepth];
    alignas(16) T b[kDepth * kColumns];
    __device__ __forceinline__ T* place_a(int row, int k) {
      constexpr int kChunks = kDepth / 8;
      const int chunk = kChunks >= 8 ? row % 8 : row / (8 / kChunks) % kChunks;
      return &a[row * kDepth + (k ^ chunk * 8)];
    }
    __device__ __forceinline__ T* place_b(int k, int column) {
      return &b[k * kColumns + (column ^ k % 8 * 8)];
    }
  };

  __device__ __forceinline__ void multiply(Stage& stage) {
#if __CUDA_ARCH__ >= 800
    // The next step's are read while these are multiplied.
    Fragments fragments[2];
    fragments[0].load(stage, 0);
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      const Fragments& now = fragments[k / 16 % 2];
      if (k + 16 < kDepth) fragments[(k / 16 + 1) % 2].load(stage, k + 16);
#pragma unroll
      for (int i = 0; i < kWarpRows / 16; ++i) {
#pragma unroll
        for (int j = 0; j < kWarpColumns / 8; ++j) {
          multiply_add(sums_[i][j], now.a[i], now.b[j / 2] + j % 2 * 2);
        }
      }
    }
#else
    // Before sm_80 there is no such instruction for both types: the same elements, one by one.
#pragma unroll 1
    for (int k = 0; k < kDepth; ++k) {
#pragma unroll
      for (int i = 0; i < kThreadRows; ++i) {
        const float a = to_compute(*stage.place_a(row(i), k));
#pragma unroll
        for (int j = 0; j < kThreadColumns; ++j) {
          sums_[i / 2][j / 2][i % 2 * 2 + j % 2] += a * to_compute(*stage.place_b(k, column(j)));
        }
      }
    }
#endif
  }

 private:
  __device__ __forceinline__ static int warp_row() {
    return threadIdx.x / 64 * kWarpRows;
  }
  __device__ __forceinline__ static int warp_column() {
    return threadIdx.x / 32 % 2 * kWarpColumns;
  }

#if __CUDA_ARCH__ >= 800
  // What a warp multiplies at once: 16 elements of its rows and columns.
  struct Fragments {
    unsigned int a[kWarpRows / 16][4], b[kWarpColumns / 16][4];

    __device__ __forceinline__ void load(Stage& stage, int k) {
      const int lane = threadIdx.x % 32;
#pragma unroll
      for (int i = 0; i < kWarpRows / 16; ++i) {
        const int row = warp_row() + i * 16 + lane % 16;
        load_matrices<false>(a[i], stage.place_a(row, k + lane / 16 * 8));
      }
#pragma unroll
      for (int j = 0; j < kWarpColumns / 16; ++j) {
        const int column = warp_column() + j * 16 + lane / 16 * 8;
        load_matrices<true>(b[j], stage.place_b(k + lane % 16, column));
      }
    }
  };

  // Four matrices of 8 by 8, of which each thread names one row.
  template <bool kTransposed>
  __device__ __forceinline__ static void load_matrices(unsigned int (&to)[4], const T* row) {
    const auto from = static_cast<unsigned int>(__cvta_generic_to_shared(row));
    if constexpr (kTransposed) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 { %0, %1, %2, %3 }, [%4];"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(from)
                   : "memory");
    } else {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 { %0, %1, %2, %3 }, [%4];"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(from)
                   : "memory");
    }
  }

  // Not volatile: the compiler may move it.
  __device__ __forceinline__ static void multiply_add(
      float (&sums)[4],
      const unsigned int (&a)[4],
      const unsigned int* b) {
    if constexpr (kIsBfloat16<T>) {
      asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
          "{ %0, %1, %2, %3 }, { %4, %5, %6, %7 }, { %8, %9 }, { %0, %1, %2, %3 };"
          : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    } else {
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
          "{ %0, %1, %2, %3 }, { %4, %5, %6, %7 }, { %8, %9 }, { %0, %1, %2, %3 };"
          : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
  }
#endif

  float sums_[kWarpRows / 16][kWarpColumns / 8][4] = {};
};

// ---- Which tile is for what: large products, small ones, and those whose rows do not all begin at
// multiples of 16 bytes. Rows, columns and depth of a tile, its threads, and blocks that are to run
// on a multiprocessor at the same time; stages. They take up to 48 KB of shared memory a block.

template <typename T>
struct Tiles {
  using Large = ProductTile<TensorCoreMath<T, 128, 128, 32, 128, 2>, 3, true, false>;
  using Small = ProductTile<TensorCoreMath<T, 64, 64, 32, 128, 4>, 4, true>;
  using Unaligned = ProductTile<TensorCoreMath<T, 64, 64, 32, 128, 4>, 2, false>;
};
template <>
struct Tiles<float> {
  using Large = ProductTile<CudaCoreMath<float, 128, 64, 16, 128, 3>, 3, true, false>;
  using Small = ProductTile<CudaCoreMath<float, 32, 32, 32, 64, 8>, 3, true>;
  using Unaligned = ProductTile<CudaCoreMath<float, 64, 64, 16, 64, 6>, 3, false>;
};
template <>
struct Tiles<double> {
  using Large = ProductTile<CudaCoreMath<double, 64, 64, 8, 64, 3>, 3, true, false>;
  using Small = ProductTile<CudaCoreMath<double, 32, 32, 16, 64, 6>, 3, true>;
  using Unaligned = ProductTile<CudaCoreMath<double, 32, 32, 16, 64, 6>, 3, false>;
};

// Threads of a block that adds up parts of the depth.
constexpr int kFinishThreads = 256;

// Reads what a RowTile has of a row of the product, which was not rounded to 16 bits.
template <typename RowTile, typename Value, int kSize>
__device__ __forceinline__ void load_values(
    const RowTile& tile,
    const Value* row,
    int i,
    Value (&values)[kSize]) {
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

// Calls body with the Choice of a tile for a product of this shape.
template <typename T, typename Body>
void choose_tile(int64_t rows, int64_t columns, int64_t parts, bool aligned, const Body& body) {
  using Large = typename Tiles<T>::Large;
  int device = 0, processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  // Large ones if they have work for almost all multiprocessors.
  const bool large = parts == 1 && Large::count(rows, columns) * 10 >= processors * 9;
  if (!aligned) return body(Choice<typename Tiles<T>::Unaligned>());
  if (large) return body(Choice<Large>());
  body(Choice<typename Tiles<T>::Small>());
}
#endif

}  // namespace {{ project }}
