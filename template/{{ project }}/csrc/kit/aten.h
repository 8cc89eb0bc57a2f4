// ATen's tensors, under the names that tensors.h uses. stable.h defines the same names. Only light
// headers: ATen/ATen.h or torch/extension.h would add 15 to 25 seconds to the build of every file
// that includes this one.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>

#ifdef USE_CUDA
#include <c10/core/DeviceGuard.h>  // not CUDAGuard.h, which takes a second to compile
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#define KIT_CHECK_CUDA C10_CUDA_CHECK
#endif

#include <initializer_list>
#include <string>
#include <string_view>

#include "../project.h"

namespace KIT_NAMESPACE {

using at::ScalarType;
using at::Tensor;
using c10::Device;
using Sizes = at::IntArrayRef;

template <typename T>
constexpr ScalarType dtype_of = c10::CppTypeToScalarType<T>::value;

[[noreturn]] inline void fail(std::initializer_list<std::string_view> parts) {
  std::string message;
  for (const std::string_view part : parts) message += part;
  TORCH_CHECK(false, message);
}

inline std::string to_string(const Device& device) {
  return device.str();
}

// Splits a range among PyTorch's own threads. at::parallel_for would be compiled into this library:
// without -fopenmp it is serial, and with -fopenmp it starts threads of its own beside PyTorch's.
template <typename Body>
void parallel_for_range(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  const auto call = [](int64_t begin, int64_t end, void* context) {
    (*static_cast<const Body*>(context))(begin, end);
  };
  TORCH_ERROR_CODE_CHECK(torch_parallel_for(begin, end, grain, call, const_cast<Body*>(&body)));
}

#ifdef USE_CUDA
inline c10::DeviceGuard device_guard(const Tensor& tensor) {
  return c10::DeviceGuard(tensor.device());
}

inline cudaStream_t current_stream(const Tensor& tensor) {
  return c10::cuda::getCurrentCUDAStream(tensor.get_device());
}
#endif

inline Tensor new_tensor(const Tensor& like, Sizes sizes, ScalarType dtype) {
  return like.new_empty(sizes, like.options().dtype(dtype));
}

inline void set_to_zero(Tensor& tensor) {
  tensor.zero_();
}

inline Tensor to_dtype(const Tensor& tensor, ScalarType dtype) {
  return tensor.to(dtype);
}

inline Tensor transposed(const Tensor& tensor) {
  return tensor.t();
}

// The first `count` elements of a dimension. If there are more, this is a copy, because a view
// would keep the memory of all elements.
inline Tensor first_of(const Tensor& tensor, int64_t dim, int64_t count) {
  return count == tensor.size(dim) ? tensor : tensor.narrow(dim, 0, count).clone();
}

inline Tensor first_rows(const Tensor& tensor, int64_t count) {
  return first_of(tensor, 0, count);
}

inline int64_t item_of(const Tensor& tensor) {
  return tensor.item<int64_t>();
}

inline Tensor as_contiguous(const Tensor& tensor) {
  return tensor.contiguous();
}

inline Tensor empty_contiguous(const Tensor& like) {
  return like.new_empty(like.sizes());
}

// The tensor itself if its elements fill its memory without gaps or overlaps, otherwise a copy with
// the layout that PyTorch's own operators would choose.
inline Tensor as_dense(const Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? tensor : tensor.clone();
}

// The functions below expect a `like` that as_dense has returned.
inline Tensor empty_dense(const Tensor& like) {
  return like.new_empty_strided(like.sizes(), like.strides());
}

inline Tensor empty_dense(const Tensor& like, ScalarType dtype) {
  return like.new_empty_strided(like.sizes(), like.strides(), like.options().dtype(dtype));
}

inline Tensor copy_in_layout_of(const Tensor& like, const Tensor& tensor) {
  return empty_dense(like).copy_(tensor);
}

}  // namespace KIT_NAMESPACE
