// Launches the kernels of a volume operator for all dtypes, with bounds that are given and without, on sizes around
// those of a block and of the blocks that look for bounds, from every beginning, and compares each voxel with double
// precision. Memory is as long as needed and no longer, for AddressSanitizer to see what lies beyond.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "normalize_cuda.cu"

namespace my_ops {

std::mt19937 random_bits;
long elements = 0;

template <typename T>
void check(int64_t numel, int shift, std::optional<double> low, std::optional<double> high) {
  T* const memory = static_cast<T*>(std::malloc((shift + numel) * sizeof(T)));
  float* const out = static_cast<float*>(std::malloc(numel * sizeof(float)));
  void* const ranges = std::malloc(2 * (kRangeBlocks + 1) * sizeof(double));
  T* const volume = memory + shift;
  double least = INFINITY, greatest = -INFINITY;
  for (int64_t i = 0; i < numel; ++i) {
    volume[i] = static_cast<T>(random_bits() % (sizeof(T) == 1 ? 256 : 30000));
    least = std::min<double>(least, volume[i]);
    greatest = std::max<double>(greatest, volume[i]);
    out[i] = NAN;
  }
  NormalizeArgs<T>{volume, low, high, out, low && high ? nullptr : ranges, numel}.run_on_gpu(nullptr);
  least = low.value_or(least);
  greatest = high.value_or(greatest);
  for (int64_t i = 0; i < numel; ++i) {
    ++elements;
    const double share = volume[i] == least ? 0 : (volume[i] - least) / (greatest - least);
    const double expected = std::min(std::max(share, 0.0), 1.0);
    if (std::fabs(out[i] - expected) < 1e-6) continue;
    std::printf("voxel %ld of %ld, %d off, is %g, not %g\n", i, numel, shift, out[i], expected);
    std::exit(1);
  }
  std::free(memory);
  std::free(out);
  std::free(ranges);
}

template <typename T>
void check_all() {
  const int64_t block = kBlockVoxels;
  for (const int64_t numel : {int64_t(1), int64_t(5), block - 1, block, block + 1, 3 * block + 5}) {
    for (int shift = 0; shift <= 16 / sizeof(T); ++shift) check<T>(numel, shift, 20.0, 200.0);
    check<T>(numel, random_bits() % 17, {}, {});
    check<T>(numel, random_bits() % 17, 20.0, {});
    check<T>(numel, random_bits() % 17, {}, 200.0);
    check<T>(numel, random_bits() % 17, 20.0, 20.0);
  }
  // More than all blocks read at once.
  check<T>(100'003, 1, {}, {});
}

}  // namespace my_ops

int main(int, char** arguments) {
  my_ops::random_bits.seed(std::stoul(arguments[1]));
  my_ops::check_all<uint8_t>();
  my_ops::check_all<int16_t>();
  my_ops::check_all<uint16_t>();
  my_ops::check_all<int32_t>();
  my_ops::check_all<float>();
  std::printf("%ld elements\n", my_ops::elements);
}
