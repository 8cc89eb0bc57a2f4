// Reading and writing pixels whose channels are adjacent.
#pragma once

#include "compute.h"

namespace KIT_NAMESPACE {

// Threads in a block.
constexpr int kPixelBlock = 128;

// A thread handles this number of bytes of each channel, so 16 / sizeof(T) pixels. With N channels,
// the pixels of a thread are N whole accesses of 16 bytes.
constexpr int kPixelBytes = 16;

template <typename T>
constexpr int kThreadPixels = kPixelBytes / sizeof(T);
template <typename T>
constexpr int kBlockPixels = kPixelBlock * kThreadPixels<T>;

// Converts a value to the result's dtype. For an integer dtype, the value is rounded to nearest
// even and clamped, and NaN becomes 0.
template <typename T>
__device__ __forceinline__ T from_channel(float value);
template <>
__device__ __forceinline__ float from_channel<float>(float value) {
  return value;
}
template <>
__device__ __forceinline__ unsigned char from_channel<unsigned char>(float value) {
  return static_cast<unsigned char>(min(max(__float2int_rn(value), 0), 255));
}

// Adjacent pixels: as many accesses of 16 bytes as a pixel has channels.
template <bool kAligned, typename T>
class VectorPixels {
 public:
  static constexpr int kSize = kThreadPixels<T>;

  __device__ __forceinline__ explicit VectorPixels(int64_t first) : first_(first) {}

  template <int kChannels>
  __device__ __forceinline__ void load(const T* from, float (&pixels)[kSize][kChannels]) const {
    // Pixels that do not begin at a multiple of 16 bytes need one more access.
    constexpr int kWords = 4 * kChannels;
    unsigned int words[kWords + 4];
    const size_t address = reinterpret_cast<size_t>(from + first_ * kChannels);
    const int offset = kAligned ? 0 : address % 16;
    const auto* const accesses = reinterpret_cast<const uint4*>(address - offset);
#pragma unroll
    for (int i = 0; i < kChannels + !kAligned; ++i) {
      const uint4 access = accesses[i];
      memcpy(words + 4 * i, &access, sizeof(access));
    }
    if (!kAligned) {
      // With constant indices, the words stay in registers. All threads take the same branches.
      if (offset & 8) move<2, kWords + 2>(words);
      if (offset & 4) move<1, kWords + 1>(words);
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        words[i] = __funnelshift_r(words[i], words[i + 1], offset % 4 * 8);
      }
    }
    T elements[kSize * kChannels];
    memcpy(elements, words, sizeof(elements));
#pragma unroll
    for (int i = 0; i < kSize * kChannels; ++i) pixels[i / kChannels][i % kChannels] = elements[i];
  }

  template <int kChannels>
  __device__ __forceinline__ void store(T* to, const float (&pixels)[kSize][kChannels]) const {
    T elements[kSize * kChannels];
#pragma unroll
    for (int i = 0; i < kSize * kChannels; ++i) {
      elements[i] = from_channel<T>(pixels[i / kChannels][i % kChannels]);
    }
    auto* const accesses = reinterpret_cast<uint4*>(to + first_ * kChannels);
#pragma unroll
    for (int i = 0; i < kChannels; ++i) {
      uint4 access;
      memcpy(&access, elements + i * kSize, sizeof(access));
      accesses[i] = access;
    }
  }

 private:
  template <int kBy, int kWords>
  __device__ __forceinline__ static void move(unsigned int* words) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) words[i] = words[i + kBy];
  }

  int64_t first_;
};

// kSize pixels, kPixelBlock apart, without those beyond the end. Each access has one channel.
template <typename T>
class StridedPixels {
 public:
  static constexpr int kSize = kThreadPixels<T>;

  __device__ __forceinline__ StridedPixels(int64_t first, int64_t count)
      : first_(first), count_(count) {}

  template <int kChannels>
  __device__ __forceinline__ void load(const T* from, float (&pixels)[kSize][kChannels]) const {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      const int64_t pixel = first_ + i * kPixelBlock;
#pragma unroll
      for (int j = 0; j < kChannels; ++j) {
        pixels[i][j] = pixel < count_ ? from[pixel * kChannels + j] : 0;
      }
    }
  }

  template <int kChannels>
  __device__ __forceinline__ void store(T* to, const float (&pixels)[kSize][kChannels]) const {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      const int64_t pixel = first_ + i * kPixelBlock;
#pragma unroll
      for (int j = 0; j < kChannels; ++j) {
        if (pixel < count_) to[pixel * kChannels + j] = from_channel<T>(pixels[i][j]);
      }
    }
  }

 private:
  int64_t first_;
  int64_t count_;
};

template <typename Channels, typename Pixels, typename T, typename Element>
__device__ __forceinline__ void compute_pixels(
    const Pixels& pixels,
    const T* from,
    T* to,
    const Element& element) {
  float values[Pixels::kSize][Channels::kIn], results[Pixels::kSize][Channels::kOut];
  pixels.load(from, values);
#pragma unroll
  for (int i = 0; i < Pixels::kSize; ++i) element(values[i], results[i]);
  pixels.store(to, results);
}

// Calls element with the pixels of this thread. With kAligned, `from` is aligned to 16 bytes; `to`
// always is, because it is new memory. Without kAligned, a thread reads 16 bytes more, in part
// before and in part after its pixels. The bytes before are in the same aligned 16 bytes as the
// first pixel, so they belong to the same allocation. A block near the end of the memory reads
// element by element.
template <bool kAligned, typename Channels, typename T, typename Element>
__device__ __forceinline__ void for_pixels(
    const T* from,
    T* to,
    int64_t count,
    const Element& element) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kBlockPixels<T>;
  if (first + kBlockPixels<T> + (kAligned ? 0 : 16) <= count) {
    const VectorPixels<kAligned, T> pixels(first + threadIdx.x * kThreadPixels<T>);
    compute_pixels<Channels>(pixels, from, to, element);
  } else {
    const StridedPixels<T> pixels(first + threadIdx.x, count);
    compute_pixels<Channels>(pixels, from, to, element);
  }
}

#ifndef __CUDACC_RTC__
template <typename T>
bool pixels_aligned(const T* from) {
  return reinterpret_cast<size_t>(from) % 16 == 0;
}

// Blocks that cover count pixels; count is at least 1.
template <typename T>
unsigned int pixel_blocks(int64_t count) {
  return static_cast<unsigned int>((count + kBlockPixels<T> - 1) / kBlockPixels<T>);
}
#endif

}  // namespace KIT_NAMESPACE
