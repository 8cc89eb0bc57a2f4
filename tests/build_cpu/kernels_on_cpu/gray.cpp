// Launches the kernels of an image operator that copies channels, on numbers of pixels around those of a block and from
// every beginning, and compares each element. Memory is as long as needed and no longer, for AddressSanitizer to see
// what lies beyond.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "gray_cuda.cu"

namespace my_ops {

std::mt19937 random_bits;
long elements = 0;
constexpr int kIn = GrayChannels::kIn, kOut = GrayChannels::kOut;

template <typename T>
void check(int64_t count, int shift) {
  T* const memory = static_cast<T*>(std::malloc((shift + count * kIn) * sizeof(T)));
  T* const out = static_cast<T*>(std::malloc(count * kOut * sizeof(T)));
  T* const image = memory + shift;
  for (int64_t i = 0; i < count * kIn; ++i) image[i] = static_cast<T>(random_bits() % 256);
  for (int64_t i = 0; i < count * kOut; ++i) out[i] = static_cast<T>(77);
  GrayArgs<T>{image, out, count}.run_on_gpu(nullptr);
  for (int64_t i = 0; i < count * kOut; ++i) {
    ++elements;
    if (out[i] == image[i / kOut * kIn + i % kOut % kIn]) continue;
    std::printf(
        "element %ld of %ld pixels, %d elements of %zu bytes off\n", i, count, shift, sizeof(T));
    std::exit(1);
  }
  std::free(memory);
  std::free(out);
}

template <typename T>
void check_all() {
  const int64_t block = kBlockPixels<T>;
  for (const int64_t more : {-1, 0, 1, 15, 16, 17, static_cast<int>(2 * block + 5)}) {
    for (int shift = 0; shift <= 16 / sizeof(T); ++shift) check<T>(block + more, shift);
  }
  for (int i = 0; i < 20; ++i) check<T>(1 + random_bits() % 9000, random_bits() % 17);
}

// Rounded to nearest even, clamped, and 0 for what is no number.
void check_rounding() {
  const float from[] = {-3, 0.5, 1.5, 254.5, 255.5, 1e9, NAN};
  const int expected[] = {0, 0, 2, 254, 255, 255, 0};
  for (int i = 0; i < 7; ++i) {
    if (from_channel<unsigned char>(from[i]) == expected[i]) continue;
    std::printf("%g is not %d\n", from[i], expected[i]);
    std::exit(1);
  }
}

}  // namespace my_ops

int main(int, char** arguments) {
  my_ops::random_bits.seed(std::stoul(arguments[1]));
  my_ops::check_all<uint8_t>();
  my_ops::check_all<float>();
  my_ops::check_rounding();
  std::printf("%ld elements\n", my_ops::elements);
}
