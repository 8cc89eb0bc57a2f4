// `farthest_points`: what one thread computes, the same on CPU and GPU.
#pragma once

#include "../kit/atomic.h"
#include "farthest_points_args.h"

namespace my_ops {

// EDIT: the points of cloud i, one after the other.
template <typename scalar_t>
HOST_DEVICE void farthest_points_thread(int64_t i, const FarthestPointsArgs<scalar_t>& args) {
  const auto [points, B, N, npoint, out, num_threads] = args;

  const scalar_t* const cloud = points + i * N * 3;
  int64_t* const chosen = out + i * npoint;
  for (int64_t k = 0; k < npoint; ++k) {
    chosen[k] = 0;
    scalar_t most = -1;
    for (int64_t n = 0; k > 0 && n < N; ++n) {
      scalar_t nearest = INFINITY;
      for (int64_t j = 0; j < k; ++j) {
        scalar_t square = 0;
        for (int c = 0; c < 3; ++c) {
          const scalar_t difference = cloud[n * 3 + c] - cloud[chosen[j] * 3 + c];
          square += difference * difference;
        }
        nearest = square < nearest ? square : nearest;
      }
      if (nearest > most) {
        most = nearest;
        chosen[k] = n;
      }
    }
  }
}

}  // namespace my_ops
