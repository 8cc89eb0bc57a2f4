// `farthest_points` on the CPU.
#include "farthest_points.h"

namespace my_ops {

// Each of PyTorch's CPU threads runs this for its own range [begin, end).
template <typename scalar_t>
void FarthestPointsArgs<scalar_t>::run_on_cpu(int64_t begin, int64_t end) const {
  for (int64_t i = begin; i < end; ++i) farthest_points_thread(i, *this);
}

#define INSTANTIATE(T) template struct FarthestPointsArgs<T>;

FARTHEST_POINTS_DTYPES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace my_ops
