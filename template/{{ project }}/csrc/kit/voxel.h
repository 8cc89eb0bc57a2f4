// Constants of volumes, for kernels and their callers.
#pragma once

#include "compute.h"

namespace KIT_NAMESPACE {

// int32 is computed in double, because a float has fewer digits than an int.
template <>
struct compute_type<int> {
  using type = double;
};

// The most parts, one for each block, in which a GPU finds the least and the greatest voxel.
constexpr int kRangeBlocks = 1024;

}  // namespace KIT_NAMESPACE
