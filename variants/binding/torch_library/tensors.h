// What the operators need of tensors, in terms of ATen. Only light headers: ATen/ATen.h or
// torch/extension.h would add 15 to 25 seconds to the build of every file that includes this one.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>
{% if 'voxels' in features %}

#include <mutex>
{% endif %}

#ifdef USE_CUDA
#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

// From cuda_fp16.h and cuda_bf16.h. Here only pointers to them are needed.
struct __half;
struct __nv_bfloat16;
#endif

namespace {{ project }} {

using at::Tensor;

// ---- Checks. Every message names the operator, the argument and the offending value.

inline void check_input(const char* op, const char* name, const Tensor& tensor) {
{% if binding == 'pybind11' %}
{% include pathjoin('variants', 'binding', binding, 'check_place.h') %}
{% endif %}
  const at::ScalarType dtype = tensor.scalar_type();
  TORCH_CHECK(
      dtype == at::kFloat || dtype == at::kDouble || dtype == at::kHalf || dtype == at::kBFloat16,
      op, ": ", name, " must have dtype Float, Double, Half or BFloat16, but has ", dtype);
}

inline void check_device_and_dtype(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& like) {
  TORCH_CHECK(
      tensor.device() == like.device(), op, ": ", name, " must be on the device of ", first, ", ",
      like.device(), ", but is on ", tensor.device());
  TORCH_CHECK(
      tensor.scalar_type() == like.scalar_type(), op, ": ", name, " must have the dtype of ", first,
      ", ", like.scalar_type(), ", but has ", tensor.scalar_type());
}

inline void check_like(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& like) {
  check_device_and_dtype(op, name, tensor, first, like);
  TORCH_CHECK(
      tensor.sizes() == like.sizes(), op, ": ", name, " must have the shape of ", first, ", ",
      like.sizes(), ", but has ", tensor.sizes(), "; torch.broadcast_tensors(", first, ", ", name,
      ") makes the shapes one");
}

[[noreturn]] inline void built_without_cuda(const char* op) {
  TORCH_CHECK(
      false, op, ": the tensors are on a GPU, but this library was built without CUDA; build it ",
      "again with nvcc, and without CPU_ONLY");
}

// ---- Memory

template <typename T>
const T* const_data(const Tensor& tensor) {
  return tensor.const_data_ptr<T>();
}

template <typename T>
T* mutable_data(const Tensor& tensor) {
  return tensor.mutable_data_ptr<T>();
}

// Calls body with a zero of the C++ type that stands for the tensor's dtype, unless there is no
// element: a grid of no blocks is an error in CUDA.
template <typename Body>
void for_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  if (numel == 0) return;
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return body(float());
    case at::kDouble:
      return body(double());
    case at::kHalf:
      return body(at::Half());
    case at::kBFloat16:
      return body(at::BFloat16());
    default:
      TORCH_INTERNAL_ASSERT(false, "check_input admits no ", tensor.scalar_type());
  }
}

// Splits the elements among PyTorch's own threads. at::parallel_for would be compiled into this
// library instead: serial without -fopenmp, and with it next to PyTorch's threads, not on them. A
// thread gets at least as many elements as PyTorch's elementwise operators give it.
template <typename Body>
void parallel_for(int64_t numel, const Body& body) {
  constexpr int64_t kGrainSize = 32768;
  const auto call = [](int64_t begin, int64_t end, void* context) {
    (*static_cast<const Body*>(context))(begin, end);
  };
  TORCH_ERROR_CODE_CHECK(torch_parallel_for(0, numel, kGrainSize, call, const_cast<Body*>(&body)));
}

#ifdef USE_CUDA
// ---- CUDA

// c10::cuda::CUDAGuard would do, but its header takes a second to compile.
class DeviceGuard : c10::DeviceGuard {
 public:
  explicit DeviceGuard(c10::DeviceIndex index) : c10::DeviceGuard({at::kCUDA, index}) {}
};

inline cudaStream_t current_stream(const Tensor& tensor) {
  return c10::cuda::getCurrentCUDAStream(tensor.device().index());
}

inline void check_launch(cudaError_t error) {
  C10_CUDA_CHECK(error);
}

// CUDA's 16-bit types have the layout of PyTorch's.
template <typename T>
struct cuda_type {
  using type = T;
};
template <>
struct cuda_type<at::Half> {
  using type = __half;
};
template <>
struct cuda_type<at::BFloat16> {
  using type = __nv_bfloat16;
};

template <typename T>
const typename cuda_type<T>::type* const_cuda_data(const Tensor& tensor) {
  return static_cast<const typename cuda_type<T>::type*>(tensor.const_data_ptr());
}

template <typename T>
typename cuda_type<T>::type* mutable_cuda_data(const Tensor& tensor) {
  return static_cast<typename cuda_type<T>::type*>(tensor.mutable_data_ptr());
}
#endif
{% for feature in features %}

{% include pathjoin('variants', 'binding', binding, feature ~ '.h') %}
{% endfor %}

}  // namespace {{ project }}
