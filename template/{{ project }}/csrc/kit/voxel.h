// Constants of volumes, for kernels and their callers.
#pragma once

#include "compute.h"

namespace KIT_NAMESPACE {

// int32 is computed in double, because a float has fewer digits than an int.
template <>
struct opmath_type<int> {
  using type = double;
};

// A GPU finds the least and the greatest voxel with at most this number of blocks, each for a part
// of the voxels.
constexpr int kRangeBlocks = 1024;

}  // namespace KIT_NAMESPACE
