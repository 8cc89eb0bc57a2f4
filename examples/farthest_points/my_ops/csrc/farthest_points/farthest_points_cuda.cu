// `farthest_points` on the GPU.
#include "farthest_points.h"

namespace my_ops {

// A block for each cloud, whose threads agree on the farthest point.
template <typename scalar_t>
__global__ void farthest_points_kernel(FarthestPointsArgs<scalar_t> args) {
  __shared__ scalar_t far[128];
  __shared__ int64_t farthest[128];
  const scalar_t* const cloud = args.points + blockIdx.x * args.N * 3;
  int64_t* const chosen = args.out + blockIdx.x * args.npoint;
  const int t = threadIdx.x;
  for (int64_t k = 0; k < args.npoint; ++k) {
    far[t] = -1;
    farthest[t] = 0;
    for (int64_t n = t; k > 0 && n < args.N; n += 128) {
      scalar_t nearest = INFINITY;
      for (int64_t j = 0; j < k; ++j) {
        const scalar_t x = cloud[n * 3] - cloud[chosen[j] * 3];
        const scalar_t y = cloud[n * 3 + 1] - cloud[chosen[j] * 3 + 1];
        const scalar_t z = cloud[n * 3 + 2] - cloud[chosen[j] * 3 + 2];
        nearest = fmin(nearest, x * x + y * y + z * z);
      }
      if (nearest > far[t]) {
        far[t] = nearest;
        farthest[t] = n;
      }
    }
    for (int step = 64; step > 0; step /= 2) {
      __syncthreads();
      if (t >= step || far[t + step] < far[t]) continue;
      if (far[t + step] > far[t] || farthest[t + step] < farthest[t]) {
        far[t] = far[t + step];
        farthest[t] = farthest[t + step];
      }
    }
    if (t == 0) chosen[k] = farthest[0];
    __syncthreads();
  }
}

template <typename scalar_t>
cudaError_t FarthestPointsArgs<scalar_t>::run_on_gpu(cudaStream_t stream) const {
  const auto grid = static_cast<unsigned>(B);
  farthest_points_kernel<<<grid, 128, 0, stream>>>(*this);
  return cudaGetLastError();
}

#define INSTANTIATE(T) template struct FarthestPointsArgs<T>;

FARTHEST_POINTS_DTYPES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace my_ops
