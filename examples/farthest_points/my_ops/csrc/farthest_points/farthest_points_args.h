// The arguments of the kernels of `farthest_points`. farthest_points.cpp fills them in.
#pragma once

#include "../kit/compute.h"

namespace my_ops {

// EDIT: the dtypes of `points` to compile for, the same as in ops/farthest_points.py. The 16-bit
// dtypes, DO(c10::Half) and DO(c10::BFloat16), need #include "../kit/half.h".
#define FARTHEST_POINTS_DTYPES(DO) DO(float) DO(double)

template <typename scalar_t>
struct FarthestPointsArgs {
  const scalar_t* points;
  int64_t B;
  int64_t N;
  int64_t npoint;
  int64_t* out;
  int64_t num_threads;

  // EDIT: delete run_on_cpu and farthest_points_cpu.cpp if HAS_CPU_KERNEL in ops/farthest_points.py
  // is False.
  void run_on_cpu(int64_t begin, int64_t end) const;
#ifdef USE_CUDA
  cudaError_t run_on_gpu(cudaStream_t stream) const;
#endif
};

}  // namespace my_ops
