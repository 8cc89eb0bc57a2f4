// What kernels and their callers agree on about volumes.
#pragma once

#include "compute.h"

namespace KIT_NAMESPACE {

// A float has fewer digits than an int.
template <>
struct compute_type<int> {
  using type = double;
};

// In how many parts, one for each block, a GPU looks for the least and the greatest voxel.
constexpr int kRangeBlocks = 1024;

}  // namespace KIT_NAMESPACE
