// Images, for C++ code that handles tensors. The last dimension of an image is its channels.
#pragma once

#include <string>
#include <vector>

#include "tensors.h"

namespace KIT_NAMESPACE {

inline void check_channels(
    const char* op,
    const char* name,
    const Tensor& tensor,
    int64_t channels) {
  if (tensor.dim() == 0 || tensor.size(-1) != channels) {
    fail(
        {op, ": ", name, " must have ", std::to_string(channels),
         " channels in its last dimension, but has the shape ", to_string(tensor.sizes())});
  }
}

// A result with one channel has no dimension for channels.
inline Tensor empty_pixels(const Tensor& image, int64_t channels) {
  std::vector<int64_t> sizes(image.sizes().begin(), image.sizes().end());
  sizes.pop_back();
  if (channels != 1) sizes.push_back(channels);
  return new_tensor(image, sizes, image.scalar_type());
}

}  // namespace KIT_NAMESPACE
