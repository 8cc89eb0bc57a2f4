// How loops over rows reduce them on the CPU.
#pragma once

#include "cpu_tile.h"

namespace {{ project }} {

// Merges what is known of the elements of each place in a tile. States of no elements are merged
// too, on each side and on both, as on a GPU where a row is shorter than a block.
template <typename State>
State merge_all(const State (&states)[kCpuTileSize]) {
  State all;
  all.merge(State());
  for (const State& state : states) all.merge(state);
  return all;
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
