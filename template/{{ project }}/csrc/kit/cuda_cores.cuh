// Products on CUDA cores, for float32 and float64.
#pragma once

#include "cuda_types.cuh"

namespace KIT_NAMESPACE {

template <typename T, int kRows_, int kColumns_, int kDepth_, int kThreads_, int kBlocks_>
class CudaCoreMath {
 public:
  using Element = T;
  static constexpr int kRows = kRows_, kColumns = kColumns_, kDepth = kDepth_;
  static constexpr int kThreads = kThreads_, kBlocks = kBlocks_;
  static constexpr int kNeighbours = 16 / sizeof(T);

  // A thread has 4 x 4, 8 x 8 or 16 x 8 elements of the tile. The threads of a warp are 8 down and
  // 4 across. The columns of a thread are in groups of kNeighbours adjacent ones.
  static constexpr int kThreadColumns = kRows * kColumns / kThreads >= 64 ? 8 : 4;
  static constexpr int kThreadRows = kRows * kColumns / kThreads / kThreadColumns;
  __device__ __forceinline__ static int row(int i) {
    return (threadIdx.x / 32 / kWarpsAcross * kThreadRows + i) * 8 + threadIdx.x % 32 / 4;
  }
  __device__ __forceinline__ static int column(int j) {
    const int warp = threadIdx.x / 32 % kWarpsAcross;
    return (warp * kThreadColumns + j) * 4 + threadIdx.x % 4 * kNeighbours;
  }
  __device__ __forceinline__ T product(int i, int j) const {
    return sums_[i][j];
  }

  // Rows of `a` are padded, so that the threads of a warp read from different banks.
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
      Vector a[kThreadRows], b[kThreadColumns / kNeighbours];
#pragma unroll
      for (int i = 0; i < kThreadRows; ++i) {
        a[i] = reinterpret_cast<const Vector&>(stage.a[row(i)][k]);
      }
#pragma unroll
      for (int n = 0; n < kNeighbours; ++n) {
#pragma unroll
        for (int j = 0; j < kThreadColumns; j += kNeighbours) {
          b[j / kNeighbours] = reinterpret_cast<const Vector&>(stage.b[k + n][column(j)]);
        }
#pragma unroll
        for (int i = 0; i < kThreadRows; ++i) {
#pragma unroll
          for (int j = 0; j < kThreadColumns; ++j) {
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

  static constexpr int kWarpsAcross = kColumns / (4 * kThreadColumns);

  T sums_[kThreadRows][kThreadColumns] = {};
};

}  // namespace KIT_NAMESPACE
