// `farthest_points` for tensors: checks, allocation, choice of kernel.
#include "../kit/shapes.h"
#include "farthest_points_args.h"

namespace my_ops {

using FarthestPointsDtypes = DtypesAfter<void FARTHEST_POINTS_DTYPES(COMMA_AND)>;

Tensor farthest_points(Tensor points, int64_t npoint) {
  const Checks check("farthest_points", "points", points);
  check("points", points, FarthestPointsDtypes(), {"B", "N", 3});
  const int64_t B = points.size(0);
  const int64_t N = points.size(1);
  points = as_contiguous(points);
  // EDIT: call check.zeros for a result that threads add to.
  Tensor out = check.result("out", {B, npoint}, c10::ScalarType::Long);

  // EDIT: the number of threads.
  const int64_t num_threads = B;

  for_dtype_of(FarthestPointsDtypes(), points, num_threads, [&](auto runner) {
    using scalar_t = typename decltype(runner)::T;
    FarthestPointsArgs<scalar_t> args;
    args.points = const_data<scalar_t>(points);
    args.B = B;
    args.N = N;
    args.npoint = npoint;
    args.out = mutable_data<int64_t>(out);
    args.num_threads = num_threads;
    runner.run(args, num_threads);
  });
  return out;
}

}  // namespace my_ops
