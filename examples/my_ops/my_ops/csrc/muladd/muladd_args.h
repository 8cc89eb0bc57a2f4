// The arguments of the kernels of `muladd`.
#pragma once

#include "../kit/compute.h"

namespace my_ops {

template <typename T>
struct MuladdArgs {
  const T* a;
  const T* b;
  double c;
  T* out;
  int64_t numel;

  void run_on_cpu(int64_t begin, int64_t end) const;
  cudaError_t run_on_gpu(cudaStream_t stream) const;
};

template <typename T>
struct MuladdBackwardArgs {
  const T* grad_out;
  const T* a;
  const T* b;
  double c;
  T* grad_a;
  T* grad_b;
  int64_t numel;

  void run_on_cpu(int64_t begin, int64_t end) const;
  cudaError_t run_on_gpu(cudaStream_t stream) const;
};

}  // namespace my_ops
