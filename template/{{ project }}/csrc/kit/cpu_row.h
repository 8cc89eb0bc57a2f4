// Reductions of rows on the CPU.
#pragma once

#include "cpu_tile.h"

namespace KIT_NAMESPACE {

// Merges the states of groups of elements. Also merges initial states, as a GPU does for threads
// without elements: `merge` must accept them on either side, or on both.
template <typename State, int kCount>
State merge_all(const State (&states)[kCount]) {
  State all;
  all.merge(State());
  for (const State& state : states) all.merge(state);
  return all;
}

// Adds a tile of a row to the sums of its columns.
template <typename Tile, typename Value>
void add_to(const Tile& tile, Value* sums, const std::array<Value, Tile::kSize>& values) {
  auto total = tile.load(sums);
  for (int i = 0; i < tile.kSize; ++i) total[i] += values[i];
  tile.store(sums, total);
}

}  // namespace KIT_NAMESPACE
