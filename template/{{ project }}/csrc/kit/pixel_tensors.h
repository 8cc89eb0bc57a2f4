// Images, for C++ code that handles tensors. The last dimension of an image is its channels.
#pragma once

#include <vector>

#include "tensors.h"

namespace KIT_NAMESPACE {

// A result with one channel has no dimension for channels.
inline Tensor empty_pixels(const Tensor& image, int64_t channels) {
  std::vector<int64_t> sizes(image.sizes().begin(), image.sizes().end());
  sizes.pop_back();
  if (channels != 1) sizes.push_back(channels);
  return new_tensor(image, sizes, image.scalar_type());
}

}  // namespace KIT_NAMESPACE
