// Bounds of a volume on the CPU.
#pragma once

#include <limits>

#include "voxel.h"

#include "cpu_tile.h"

namespace KIT_NAMESPACE {

// The least and the greatest voxel of a part of a volume. NaN is ignored, because comparisons with
// NaN are false.
template <typename T>
void range_of_tiles(const T* volume, int64_t begin, int64_t end, double* range) {
  using Value = opmath_t<T>;
  // One range for each position in a tile, so that the loop becomes vector instructions.
  Value low[kCpuTileSize], high[kCpuTileSize];
  for (int i = 0; i < kCpuTileSize; ++i) {
    low[i] = std::numeric_limits<Value>::infinity();
    high[i] = -low[i];
  }
  for_tile<T>(begin, end, [&](auto tile) {
    const auto voxels = tile.load(volume);
    for (int i = 0; i < tile.kSize; ++i) {
      low[i] = voxels[i] < low[i] ? voxels[i] : low[i];
      high[i] = voxels[i] > high[i] ? voxels[i] : high[i];
    }
  });
  range[0] = low[0];
  range[1] = high[0];
  for (int i = 1; i < kCpuTileSize; ++i) {
    range[0] = low[i] < range[0] ? low[i] : range[0];
    range[1] = high[i] > range[1] ? high[i] : range[1];
  }
}

}  // namespace KIT_NAMESPACE
