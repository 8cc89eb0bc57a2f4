// How loops over rows reduce them on the CPU.
#pragma once

#include "cpu_tile.h"

namespace {{ project }} {

// Merges what is known of the elements of each place in a tile.
template <typename State>
State merge_all(State (&states)[kCpuTileSize]) {
  for (int i = 1; i < kCpuTileSize; ++i) states[0].merge(states[i]);
  return states[0];
}

// Adds a tile of a row to the sums of its columns.
template <typename Tile, typename Value>
void add_to(const Tile& tile, Value* sums, const Value (&values)[Tile::kSize]) {
  Value total[Tile::kSize];
  tile.load(sums, total);
  for (int i = 0; i < Tile::kSize; ++i) total[i] += values[i];
  tile.store(sums, total);
}

}  // namespace {{ project }}
