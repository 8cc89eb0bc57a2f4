// Tiles of matrices: the choice of a block's tile, copies to shared memory, writing.
#pragma once

#include "async_copy.cuh"
#include "cuda_types.cuh"

namespace KIT_NAMESPACE {

// ---- Reading

// Copies a tile of a matrix whose rows are `pitch` elements apart. Elements beyond the matrix
// become zero. All accesses of a thread, of kAccess elements each, begin in one column. `place`
// returns an element's place in shared memory.
template <int kThreads, int kAccess, int kHeight, int kWidth, typename T, typename Place>
__device__ __forceinline__ void copy_tile(
    unsigned int thread,
    const T* from,
    int64_t pitch,
    int64_t rows_left,
    int64_t columns_left,
    const Place& place) {
  constexpr int kStep = kThreads * kAccess / kWidth;
  static_assert(kThreads * kAccess % kWidth == 0 && kHeight % kStep == 0);
  const int row = thread * kAccess / kWidth, column = thread * kAccess % kWidth;
  const int64_t height = column < columns_left ? rows_left : 0;
  from += row * pitch + column;
#pragma unroll
  for (int i = 0; i < kHeight; i += kStep) {
    copy_or_zero<kAccess>(place(row + i, column), from + i * pitch, row + i < height);
  }
}

// ---- Writing

// Transposes 4 x 4 words among four adjacent lanes: before, each lane has one word of each of four
// accesses; afterwards, each lane has the four words of one access.
__device__ __forceinline__ void transpose_lanes(unsigned int (&words)[4]) {
#pragma unroll
  for (int step = 1; step <= 2; ++step) {
    const bool upper = threadIdx.x & step;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i & step) continue;
      const unsigned int mine = upper ? words[i] : words[i + step];
      const unsigned int other = __shfl_xor_sync(0xffffffff, mine, step);
      words[i] = upper ? other : words[i];
      words[i + step] = upper ? words[i + step] : other;
    }
  }
}

// One tile of the product, chosen by `index`: successive tiles go down up to 8 tiles, and then to
// the next column of tiles. So blocks that run at the same time share rows of `a` and columns of
// `b` in the cache.
template <int kRows_, int kColumns_>
class PlacedTile {
 public:
  static constexpr int kRows = kRows_, kColumns = kColumns_;

  // The number of tiles of a product.
  HOST_DEVICE static constexpr int64_t count(int64_t rows, int64_t columns) {
    return ((rows + kRows - 1) / kRows) * ((columns + kColumns - 1) / kColumns);
  }

  __device__ __forceinline__ PlacedTile(int64_t rows, int64_t columns, unsigned int index)
      : rows_(rows), columns_(columns) {
    constexpr unsigned int kDown = 8;
    const auto across = static_cast<unsigned int>((columns + kColumns - 1) / kColumns);
    const auto down = static_cast<unsigned int>((rows + kRows - 1) / kRows);
    const unsigned int first = index / (kDown * across) * kDown;
    const unsigned int rest = index % (kDown * across);
    const unsigned int height = down - first < kDown ? down - first : kDown;
    row_ = static_cast<int64_t>(first + rest % height) * kRows;
    column_ = static_cast<int64_t>(rest / height) * kColumns;
  }

  // Copies kDepth columns of this tile's rows of `a`, and kDepth rows of its columns of `b`, from
  // `start` on, to a stage, with kThreads threads.
  template <int kThreads, int kAccess, int kDepth, typename T, typename Stage>
  __device__ __forceinline__ void copy_step(
      unsigned int thread,
      const T* a,
      const T* b,
      int64_t depth,
      int64_t start,
      Stage& stage) const {
    copy_tile<kThreads, kAccess, kRows, kDepth>(
        thread, a + row_ * depth + start, depth, rows_ - row_, depth - start, [&](int row, int k) {
          return stage.place_a(row, k);
        });
    copy_tile<kThreads, kAccess, kDepth, kColumns>(
        thread, b + start * columns_ + column_, columns_, depth - start, columns_ - column_,
        [&](int k, int column) {
          return stage.place_b(k, column);
        });
  }

  // Writes the results of body for each element of this tile. The arguments of body are the
  // element, its column and optionally its index. body may also get an index beyond the last
  // element; its result is then not written. `math` has the elements of this thread.
  template <bool kAligned, typename Math, typename To, typename Body>
  __device__ __forceinline__ void store(const Math& math, To* to, const Body& body) const {
    if constexpr (kAligned && Math::kNeighbours * sizeof(To) == 4) {
      store_words(math, to, body);
    } else {
      store_neighbours<kAligned>(math, to, body);
    }
  }

 protected:
  int64_t rows_, columns_, row_, column_;

 private:
  template <typename Body, typename Value>
  __device__ __forceinline__ static auto made(
      const Body& body,
      Value product,
      int64_t column,
      int64_t index,
      int) -> decltype(body(product, column, index)) {
    return body(product, column, index);
  }
  template <typename Body, typename Value>
  __device__ __forceinline__ static auto made(
      const Body& body,
      Value product,
      int64_t column,
      int64_t,
      long) -> decltype(body(product, column)) {
    return body(product, column);
  }

  template <bool kAligned, typename Math, typename To, typename Body>
  __device__ __forceinline__ void store_neighbours(const Math& math, To* to, const Body& body)
      const {
    constexpr int kNeighbours = Math::kNeighbours;
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
          const int64_t index = row * columns_ + column + n;
          if (n < left)
            access.elements[n] = made(body, math.product(i, j + n), column + n, index, 0);
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

  // Like store_neighbours, for a Math in which each of four lanes has two adjacent columns of every
  // 8. The lanes exchange words, so that each of them writes 16 bytes, not 4.
  template <typename Math, typename To, typename Body>
  __device__ __forceinline__ void store_words(const Math& math, To* to, const Body& body) const {
    struct alignas(16) Access {
      unsigned int words[4];
    };
    const int lane = threadIdx.x % 4;
#pragma unroll
    for (int j = 0; j < Math::kThreadColumns; j += 8) {
#pragma unroll
      for (int i = 0; i < Math::kThreadRows; ++i) {
        Access access{};
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          const int64_t column = column_ + Math::column(j + n * 2);
          if (column >= columns_) continue;
          const int64_t index = (row_ + Math::row(i)) * columns_ + column;
          const To pair[2] = {
              made(body, math.product(i, j + n * 2), column, index, 0),
              made(body, math.product(i, j + n * 2 + 1), column + 1, index + 1, 0)};
          memcpy(&access.words[n], pair, 4);
        }
        transpose_lanes(access.words);
        const int64_t row = row_ + Math::row(i);
        const int64_t column = column_ + Math::column(j) + lane * 6;
        if (row >= rows_ || column >= columns_) continue;
        *reinterpret_cast<Access*>(to + row * columns_ + column) = access;
      }
    }
  }
};

}  // namespace KIT_NAMESPACE
