// Products of 16-bit types on Hopper's tensor cores, with wgmma: a warpgroup of 128 threads
// computes 64 x 256 elements of the product, and reads both factors from shared memory. Only sm_90a
// has this instruction, so this file has no effect unless the library is compiled for 9.0a. To
// avoid wgmma, compile for 9.0.
#pragma once

#include "placed_tile.cuh"
#include "tensor_cores.cuh"

namespace KIT_NAMESPACE {

// Two warpgroups multiply and a third one copies, so that no warpgroup alternates between copies
// and math. Each stage has two named barriers: threads wait at one until the stage is copied, and
// at the other until the stage may be overwritten. After a tile, a block computes another tile,
// whose factors are copied while the results of the earlier tile are written.
template <typename T>
class WgmmaTile : public PlacedTile<128, 256> {
  static constexpr int kDepth = 64, kStages = 4;
  static constexpr int kMultiplyThreads = 256, kCopyThreads = 128;
  static constexpr int kBehind = 2;  // steps whose copies are pending while others start

  // Of every 8 rows of 128 bytes, each stores its chunks of 8 elements in a different order:
  // wgmma's swizzle.
  struct Stage {
    T a[kRows][64];
    T b[kColumns / 64][kDepth][64];
    __device__ __forceinline__ T* place_a(int row, int k) {
      return &a[row][k ^ row % 8 * 8];
    }
    __device__ __forceinline__ T* place_b(int k, int column) {
      return &b[column / 64][k][column % 64 ^ k % 8 * 8];
    }
  };

 public:
  static constexpr int kThreads = kMultiplyThreads + kCopyThreads, kBlocks = 1;
  static constexpr int kSharedBytes = kStages * sizeof(Stage);
  static constexpr bool kParts = false, kLoops = true;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  static constexpr int kBound = kThreads;

  __device__ __forceinline__ WgmmaTile(int64_t rows, int64_t columns, int64_t depth)
      : PlacedTile(rows, columns, blockIdx.x),
        depth_(depth),
        steps_((depth + kDepth - 1) / kDepth),
        tiles_left_((count(rows, columns) - blockIdx.x + gridDim.x - 1) / gridDim.x),
        all_steps_(steps_ * tiles_left_) {}

  // Moves on to the block's next tile. Returns false if the block has no more tiles.
  __device__ __forceinline__ bool next() {
    if (--tiles_left_ == 0) return false;
    index_ += gridDim.x;
    static_cast<PlacedTile&>(*this) = PlacedTile(rows_, columns_, index_);
    return true;
  }

  // The third warpgroup's work for all tiles. Returns true if this thread belongs to that
  // warpgroup. It is a separate loop: in a loop that all warpgroups share, this warpgroup would
  // also have registers for the sums of the others.
  __device__ __forceinline__ bool only_copies(const T* a, const T* b) {
    if (threadIdx.x < kMultiplyThreads) return false;
    const unsigned int thread = threadIdx.x - kMultiplyThreads;
    do {
      for (unsigned int i = 0; i < steps_; ++i) {
        if (step_ >= kStages) wait_at(free(step_));
        const int64_t start = static_cast<int64_t>(i) * kDepth;
        copy_step<kCopyThreads, 8, kDepth>(thread, a, b, depth_, start, stage(step_));
        commit_copies();
        wait_for_copies<kBehind>();
        if (step_ >= kBehind) show(step_ - kBehind);
        ++step_;
      }
    } while (next());
    wait_for_copies<0>();
    for (unsigned int i = step_ < kBehind ? 0 : step_ - kBehind; i < step_; ++i) show(i);
    return true;
  }

  __device__ __forceinline__ void multiply(const T*, const T*) {
#pragma unroll
    for (float& sum : sums_) sum = 0;
    for (unsigned int i = 0; i < steps_; ++i) {
      wait_at(copied(step_));
      multiply(stage(step_));
      // By now, wgmma has read all data of the previous step.
      if (i > 0) release(step_ - 1);
      ++step_;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (steps_ > 0) release(step_ - 1);
    // From here on, the compiler treats the sums as new values, and does not move reads of them
    // before this line.
#pragma unroll
    for (float& sum : sums_) asm volatile("" : "+f"(sum)::"memory");
  }

  template <typename To, typename Body>
  __device__ __forceinline__ void store(To* to, const Body& body) const {
    PlacedTile::template store<true>(*this, to, body);
  }

  // How many rows and columns a thread has, and how many of its columns are adjacent.
  static constexpr int kNeighbours = 2, kThreadRows = 2, kThreadColumns = kColumns / 4;
  __device__ __forceinline__ static int row(int i) {
    return threadIdx.x / 32 * 16 + i * 8 + threadIdx.x % 32 / 4;
  }
  __device__ __forceinline__ static int column(int j) {
    return j / 2 * 8 + threadIdx.x % 4 * 2 + j % 2;
  }
  __device__ __forceinline__ float product(int i, int j) const {
    return sums_[j / 2 * 4 + i * 2 + j % 2];
  }

 private:
  // __syncthreads uses barrier 0.
  __device__ __forceinline__ static int copied(unsigned int step) {
    return 1 + step % kStages;
  }
  __device__ __forceinline__ static int free(unsigned int step) {
    return 1 + kStages + step % kStages;
  }
  __device__ __forceinline__ static void wait_at(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kThreads) : "memory");
  }
  __device__ __forceinline__ static void arrive_at(int barrier) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(kThreads) : "memory");
  }
  __device__ __forceinline__ static Stage& stage(unsigned int step) {
    extern __shared__ __align__(1024) unsigned char memory[];
    return reinterpret_cast<Stage*>(memory)[step % kStages];
  }

  // Marks a step's stage as free. Not for the last steps: no thread waits for their stages.
  __device__ __forceinline__ void release(unsigned int step) const {
    if (step + kStages < all_steps_) arrive_at(free(step));
  }

  // Makes the copied data of a step visible to wgmma, and tells the other warpgroups that it is
  // there.
  __device__ __forceinline__ static void show(unsigned int step) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    arrive_at(copied(step));
  }

#define SUMS(i) \
  "+f"(sums_[i]), "+f"(sums_[i + 1]), "+f"(sums_[i + 2]), "+f"(sums_[i + 3]), "+f"(sums_[i + 4]), \
      "+f"(sums_[i + 5]), "+f"(sums_[i + 6]), "+f"(sums_[i + 7])
#define MULTIPLY_ADD(type) \
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32." type "." type \
               " { " \
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, " \
               "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, " \
               "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
               "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, " \
               "%77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, " \
               "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, " \
               "%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, " \
               "%118, %119, %120, %121, %122, %123, %124, %125, %126, %127 }, " \
               "%128, %129, 1, 1, 1, 0, 1;" \
               : SUMS(0), SUMS(8), SUMS(16), SUMS(24), SUMS(32), SUMS(40), SUMS(48), SUMS(56), \
                 SUMS(64), SUMS(72), SUMS(80), SUMS(88), SUMS(96), SUMS(104), SUMS(112), SUMS(120) \
               : "l"(a), "l"(b))
  __device__ __forceinline__ void multiply(const Stage& stage) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      const unsigned long long a = describe(&stage.a[threadIdx.x / 128 * 64][k]);
      const unsigned long long b = describe(&stage.b[0][k][0]);
      if constexpr (kIsBfloat16<T>) {
        MULTIPLY_ADD("bf16");
      } else {
        MULTIPLY_ADD("f16");
      }
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
#undef MULTIPLY_ADD
#undef SUMS

  // The descriptor of a matrix, in units of 16 bytes: groups of 8 rows are 1024 bytes apart, and
  // groups of 64 columns as far apart as in stage.b.
  __device__ __forceinline__ static unsigned long long describe(const T* start) {
    constexpr unsigned long long kSwizzle = 1ull << 62, kGroups = (1024ull >> 4) << 32;
    constexpr unsigned long long kPanels = (sizeof(Stage::b[0]) >> 4) << 16;
    return kSwizzle | kGroups | kPanels | (__cvta_generic_to_shared(start) & 0x3ffff) >> 4;
  }

  int64_t depth_;
  unsigned int steps_, tiles_left_, all_steps_;
  unsigned int step_ = 0;  // of all tiles of this block
  unsigned int index_ = blockIdx.x;
  float sums_[kColumns / 2];
#else
  // Not compiled for sm_90a: kernels with this tile are never launched. `prepare` finds that their
  // launch bound, kBound, is less than kThreads.
  static constexpr int kBound = 32;
  __device__ __forceinline__ WgmmaTile(int64_t rows, int64_t columns, int64_t)
      : PlacedTile(rows, columns, 0) {}
  __device__ __forceinline__ bool only_copies(const T*, const T*) {
    return true;
  }
  __device__ __forceinline__ void multiply(const T*, const T*) {}
  template <typename To, typename Body>
  __device__ __forceinline__ void store(To*, const Body&) const {}
  __device__ __forceinline__ bool next() {
    return false;
  }
#endif
};

}  // namespace KIT_NAMESPACE
