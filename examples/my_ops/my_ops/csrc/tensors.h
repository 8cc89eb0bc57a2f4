// What the operators need of tensors, in terms of ATen. Only light headers: ATen/ATen.h or
// torch/extension.h would add 15 to 25 seconds to the build of every file that includes this one.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>

#ifdef USE_CUDA
#include <c10/core/DeviceGuard.h>  // not CUDAGuard.h, which takes a second to compile
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "kit/compute.h"

namespace my_ops {

using at::Tensor;

// ---- Checks. Every message names the operator, the argument and the offending value.

// PyTorch passes None as an undefined tensor, which has no device, dtype or shape.
inline void check_defined(const char* op, const char* name, const Tensor& tensor) {
  TORCH_CHECK(tensor.defined(), op, ": ", name, " must be a tensor, but is None");
}

inline void check_input(const char* op, const char* name, const Tensor& tensor) {
  check_defined(op, name, tensor);
#ifndef USE_CUDA
  TORCH_CHECK(
      tensor.is_cpu(), op, ": ", name, " is on a GPU, but this library was built without CUDA; ",
      "build it again with nvcc, and without CPU_ONLY");
#endif
  const at::ScalarType dtype = tensor.scalar_type();
  TORCH_CHECK(
      dtype == at::kFloat || dtype == at::kDouble || dtype == at::kHalf || dtype == at::kBFloat16,
      op, ": ", name, " must have dtype Float, Double, Half or BFloat16, but has ", dtype);
}

inline void check_like(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& like) {
  check_defined(op, name, tensor);
  TORCH_CHECK(
      tensor.device() == like.device(), op, ": ", name, " must be on the device of ", first, ", ",
      like.device(), ", but is on ", tensor.device());
  TORCH_CHECK(
      tensor.scalar_type() == like.scalar_type(), op, ": ", name, " must have the dtype of ", first,
      ", ", like.scalar_type(), ", but has ", tensor.scalar_type());
  TORCH_CHECK(
      tensor.sizes() == like.sizes(), op, ": ", name, " must have the shape of ", first, ", ",
      like.sizes(), ", but has ", tensor.sizes(), "; torch.broadcast_tensors(", first, ", ", name,
      ") makes the shapes one");
}

// ---- Memory. An absent tensor, and a gradient that is not needed, is a null pointer for a kernel.

template <typename T>
const T* const_data(const Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}

template <typename T>
T* mutable_data(const Tensor& tensor) {
  return tensor.defined() ? static_cast<T*>(tensor.mutable_data_ptr()) : nullptr;
}

// Splits a range among PyTorch's own threads. at::parallel_for would be compiled into this library
// instead: serial without -fopenmp, and with it next to PyTorch's threads, not on them.
template <typename Body>
void parallel_for_range(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  const auto call = [](int64_t begin, int64_t end, void* context) {
    (*static_cast<const Body*>(context))(begin, end);
  };
  TORCH_ERROR_CODE_CHECK(torch_parallel_for(begin, end, grain, call, const_cast<Body*>(&body)));
}

// Splits elements: a thread gets at least as many as PyTorch's elementwise operators give it.
template <typename Body>
void parallel_for(int64_t numel, const Body& body) {
  parallel_for_range(0, numel, 32768, body);
}

// ---- Kernels, which get a struct of <op>_args.h

// Where a kernel runs, for elements T: over `count` pieces of work.
template <typename Element>
struct Cpu {
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t count) const {
    parallel_for(count, [&](int64_t begin, int64_t end) {
      args.run_on_cpu(begin, end);
    });
  }
};

#ifdef USE_CUDA
template <typename Element>
struct Gpu {
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t) const {
    C10_CUDA_CHECK(args.run_on_gpu(stream));
  }

  cudaStream_t stream;
};
#endif

// Calls body with the Cpu or the Gpu that the tensor is on, unless there is no element: a grid of
// no blocks is an error in CUDA.
template <typename OnCpu = void, typename OnGpu = OnCpu, typename Body>
void on_device(const Tensor& tensor, int64_t numel, const Body& body) {
  if (numel == 0) return;
  if (tensor.is_cpu()) return body(Cpu<OnCpu>());
#ifdef USE_CUDA
  const c10::DeviceGuard guard(tensor.device());
  body(Gpu<OnGpu>{c10::cuda::getCurrentCUDAStream(tensor.get_device())});
#endif
}

// The same by dtype. CUDA's 16-bit types have the layout of PyTorch's.
template <typename Body>
void for_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return on_device<float, float>(tensor, numel, body);
    case at::kDouble:
      return on_device<double, double>(tensor, numel, body);
    case at::kHalf:
      return on_device<at::Half, __half>(tensor, numel, body);
    case at::kBFloat16:
      return on_device<at::BFloat16, __nv_bfloat16>(tensor, numel, body);
    default:
      TORCH_INTERNAL_ASSERT(false, "check_input admits no ", tensor.scalar_type());
  }
}

// ---- Kernels that go through memory from begin to end, whichever dimension comes first in it:
// channels_last and transposed tensors stay as they are. The fake in ops/*.py promises the same.

// The tensor itself if it has no gaps, else a copy as PyTorch's own operators would make it.
inline Tensor as_dense(const Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? tensor : tensor.clone();
}

// From here on, `like` is what as_dense returned.
inline Tensor empty_dense(const Tensor& like) {
  return like.new_empty_strided(like.sizes(), like.strides());
}

inline Tensor in_layout_of(const Tensor& like, const Tensor& tensor) {
  const bool contiguous = tensor.is_contiguous() && like.is_contiguous();
  if (contiguous || tensor.strides() == like.strides()) return tensor;
  return empty_dense(like).copy_(tensor);
}

}  // namespace my_ops
