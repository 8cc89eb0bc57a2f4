// Loops over pixels on the CPU.
#pragma once

#include "cpu_tile.h"

namespace KIT_NAMESPACE {

// Converts a value to the result's dtype. For an integer dtype, the value is rounded to nearest
// even and clamped, and NaN becomes 0.
template <typename T>
T from_channel(float value);
template <>
inline float from_channel<float>(float value) {
  return value;
}
template <>
inline uint8_t from_channel<uint8_t>(float value) {
  value = value > 0 ? value < 255 ? value : 255 : 0;
  return static_cast<uint8_t>(static_cast<int>(rintf(value)));
}

// Calls element with each pixel of a range. The compiler knows the number of pixels in a tile, and
// so uses vector instructions in the three loops.
template <typename Channels, typename T, typename Element>
void for_pixels(const T* from, T* to, int64_t begin, int64_t end, const Element& element) {
  for_tile<T>(begin, end, [&](auto tile) {
    float pixels[tile.kSize][Channels::kIn], results[tile.kSize][Channels::kOut];
    const T* const first_in = from + tile.first * Channels::kIn;
    T* const first_out = to + tile.first * Channels::kOut;
    for (int i = 0; i < tile.kSize; ++i) {
      for (int j = 0; j < Channels::kIn; ++j) pixels[i][j] = first_in[i * Channels::kIn + j];
    }
    for (int i = 0; i < tile.kSize; ++i) element(pixels[i], results[i]);
    for (int i = 0; i < tile.kSize; ++i) {
      for (int j = 0; j < Channels::kOut; ++j) {
        first_out[i * Channels::kOut + j] = from_channel<T>(results[i][j]);
      }
    }
  });
}

}  // namespace KIT_NAMESPACE
