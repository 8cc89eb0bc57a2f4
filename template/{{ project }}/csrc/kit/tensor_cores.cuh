// Products on tensor cores, for 16-bit types.
#pragma once

#include "cuda_types.cuh"

namespace KIT_NAMESPACE {

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

  // Two warps are side by side. In its warp's part, a thread has every 8th row, and two adjacent
  // columns of every 8: the layout of mma.m16n8k16.
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

  // 8 rows that are read together are in different banks, because rows store their chunks of 8
  // elements in different orders.
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
    // The elements of the next step are read while these are multiplied.
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
    // Before sm_80, tensor cores have no mma.m16n8k16: CUDA cores multiply the same elements one by
    // one.
#pragma unroll 1
    for (int k = 0; k < kDepth; ++k) {
#pragma unroll
      for (int i = 0; i < kThreadRows; ++i) {
        const float a = to_opmath(*stage.place_a(row(i), k));
#pragma unroll
        for (int j = 0; j < kThreadColumns; ++j) {
          sums_[i / 2][j / 2][i % 2 * 2 + j % 2] += a * to_opmath(*stage.place_b(k, column(j)));
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
  // The elements that a warp multiplies in one step: 16 of each row of `a` and column of `b`.
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

  // Loads four matrices of 8 x 8; each thread has the address of one row.
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

  // The assembly is not volatile, so that the compiler may move it.
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

}  // namespace KIT_NAMESPACE
