// `muladd` for tensors: checks, allocation, choice of kernel.
#include "../tensors.h"

namespace my_ops {

// ---- The kernels, which the _cpu.cpp and the _cuda.cu in this folder define. They are declared
// here and not beside the math, so that an edit of the math leaves this file, the slowest, alone.

template <typename T>
void muladd_cpu(const T* a, const T* b, double c, T* out, int64_t begin, int64_t end);

template <typename T>
void muladd_backward_cpu(
    const T* grad_out,
    const T* a,
    const T* b,
    double c,
    T* grad_a,
    T* grad_b,
    int64_t begin,
    int64_t end);

#ifdef USE_CUDA
template <typename T>
cudaError_t launch_muladd(
    const T* a,
    const T* b,
    double c,
    T* out,
    int64_t numel,
    cudaStream_t stream);

template <typename T>
cudaError_t launch_muladd_backward(
    const T* grad_out,
    const T* a,
    const T* b,
    double c,
    T* grad_a,
    T* grad_b,
    int64_t numel,
    cudaStream_t stream);
#endif

// ---- The operator and its gradient, for tensors

Tensor muladd(Tensor a, Tensor b, double c) {
  check_input("muladd", "a", a);
  check_like("muladd", "b", b, "a", a);
  a = as_dense(a);
  b = in_layout_of(a, b);
  Tensor out = empty_dense(a);
  const int64_t numel = a.numel();

  for_dtype(a, numel, [&](auto zero) {
    using T = decltype(zero);
    if (a.is_cpu()) {
      parallel_for(numel, [&](int64_t begin, int64_t end) {
        muladd_cpu(const_data<T>(a), const_data<T>(b), c, mutable_data<T>(out), begin, end);
      });
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard(a.get_device());
    const cudaError_t error = launch_muladd(
        const_cuda_data<T>(a), const_cuda_data<T>(b), c, mutable_cuda_data<T>(out), numel,
        current_stream(a));
    check_launch(error);
#else
    built_without_cuda("muladd");
#endif
  });
  return out;
}

std::tuple<Tensor, Tensor> muladd_backward(
    Tensor grad_out,
    Tensor a,
    Tensor b,
    double c,
    bool needs_a,
    bool needs_b) {
  check_input("muladd", "grad_out", grad_out);
  check_like("muladd", "a", a, "grad_out", grad_out);
  check_like("muladd", "b", b, "grad_out", grad_out);
  a = as_dense(a);
  grad_out = in_layout_of(a, grad_out);
  b = in_layout_of(a, b);
  Tensor grad_a;
  if (needs_a) grad_a = empty_dense(a);
  Tensor grad_b;
  if (needs_b) grad_b = empty_dense(a);
  const int64_t numel = grad_out.numel();

  for_dtype(grad_out, numel, [&](auto zero) {
    using T = decltype(zero);
    if (grad_out.is_cpu()) {
      parallel_for(numel, [&](int64_t begin, int64_t end) {
        muladd_backward_cpu(
            const_data<T>(grad_out), const_data<T>(a), const_data<T>(b), c, needed_data<T>(grad_a),
            needed_data<T>(grad_b), begin, end);
      });
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard(grad_out.get_device());
    const cudaError_t error = launch_muladd_backward(
        const_cuda_data<T>(grad_out), const_cuda_data<T>(a), const_cuda_data<T>(b), c,
        needed_cuda_data<T>(grad_a), needed_cuda_data<T>(grad_b), numel, current_stream(grad_out));
    check_launch(error);
#else
    built_without_cuda("muladd");
#endif
  });
  return std::make_tuple(grad_a, grad_b);
}

}  // namespace my_ops
