// Volumes, for C++ code that handles tensors.
#pragma once

#include <mutex>

#include "tensors.h"

namespace KIT_NAMESPACE {

inline Tensor empty_voxels(const Tensor& like) {
  return new_tensor(like, like.sizes(), ScalarType::Float);
}

// Memory for the ranges of the parts of a volume, and of the whole volume.
inline Tensor empty_ranges(const Tensor& like, int64_t parts) {
  const int64_t sizes[] = {2 * (parts + 1)};
  return new_tensor(like, Sizes(sizes, 1), ScalarType::Double);
}

// The least and the greatest voxel of a volume on the CPU, from the ranges of its parts in any
// order.
template <typename Args>
void find_range(const Args& args, double (&range)[2]) {
  std::mutex mutex;
  bool first = true;
  parallel_for(args.numel, [&](int64_t begin, int64_t end) {
    double part[2];
    args.range_on_cpu(begin, end, part);
    const std::lock_guard<std::mutex> lock(mutex);
    range[0] = first || part[0] < range[0] ? part[0] : range[0];
    range[1] = first || part[1] > range[1] ? part[1] : range[1];
    first = false;
  });
}

}  // namespace KIT_NAMESPACE
