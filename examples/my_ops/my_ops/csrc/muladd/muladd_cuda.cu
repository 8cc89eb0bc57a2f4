// `muladd` on the GPU.
#include "muladd.h"

#include "../kit/tile.cuh"
#include "muladd_args.h"

namespace my_ops {

// ---- Kernels. Each thread handles one tile; for_tile in tile.cuh chooses its accesses.

template <bool kWhole, typename T>
__global__ void __launch_bounds__(kBlockSize) muladd_kernel(
    const T* __restrict__ a,
    const T* __restrict__ b,
    double c,
    T* __restrict__ out,
    int64_t numel) {
  const bool aligned = all_aligned(a, b, out);
  for_tile<kWhole, T>(numel, aligned, [&](auto tile) {
    opmath_t<T> a_values[tile.kSize];
    opmath_t<T> b_values[tile.kSize];
    opmath_t<T> out_values[tile.kSize];
    tile.load(a, a_values);
    tile.load(b, b_values);
#pragma unroll
    for (int i = 0; i < tile.kSize; ++i) {
      muladd_element<opmath_t<T>>(a_values[i], b_values[i], c, out_values[i]);
    }
    tile.store(out, out_values);
  });
}

template <bool kWhole, typename T>
__global__ void __launch_bounds__(kBlockSize) muladd_backward_kernel(
    const T* __restrict__ grad_out,
    const T* __restrict__ a,
    const T* __restrict__ b,
    double c,
    T* __restrict__ grad_a,
    T* __restrict__ grad_b,
    int64_t numel) {
  const bool aligned = all_aligned(grad_out, a, b, grad_a, grad_b);
  for_tile<kWhole, T>(numel, aligned, [&](auto tile) {
    opmath_t<T> grad_out_values[tile.kSize];
    opmath_t<T> a_values[tile.kSize];
    opmath_t<T> b_values[tile.kSize];
    opmath_t<T> grad_a_values[tile.kSize];
    opmath_t<T> grad_b_values[tile.kSize];
    tile.load(grad_out, grad_out_values);
    tile.load(a, a_values);
    tile.load(b, b_values);
#pragma unroll
    for (int i = 0; i < tile.kSize; ++i) {
      muladd_backward_element<opmath_t<T>>(
          grad_out_values[i], a_values[i], b_values[i], c, grad_a_values[i], grad_b_values[i]);
    }
    if (grad_a) tile.store(grad_a, grad_a_values);
    if (grad_b) tile.store(grad_b, grad_b_values);
  });
}

// ---- Launchers

template <typename T>
cudaError_t MuladdArgs<T>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = all_aligned(a, b, out);
  auto kernel = muladd_kernel<false, T>;
  if (aligned && numel % kBlockElements<T> == 0) kernel = muladd_kernel<true, T>;
  kernel<<<grid_size<T>(numel), kBlockSize, 0, stream>>>(a, b, c, out, numel);
  return cudaGetLastError();
}

template <typename T>
cudaError_t MuladdBackwardArgs<T>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = all_aligned(grad_out, a, b, grad_a, grad_b);
  auto kernel = muladd_backward_kernel<false, T>;
  if (aligned && numel % kBlockElements<T> == 0) kernel = muladd_backward_kernel<true, T>;
  kernel<<<grid_size<T>(numel), kBlockSize, 0, stream>>>(grad_out, a, b, c, grad_a, grad_b, numel);
  return cudaGetLastError();
}

INSTANTIATE_FLOATS(MuladdArgs);
INSTANTIATE_FLOATS(MuladdBackwardArgs);

}  // namespace my_ops
