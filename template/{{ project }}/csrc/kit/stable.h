// Tensors of LibTorch's stable ABI, under the names that tensors.h uses. aten.h defines the same
// names. A library that was compiled against one PyTorch runs with all later versions, and with
// earlier ones from TORCH_TARGET_VERSION on. The library may use only the headers in
// torch/csrc/stable and torch/headeronly, and the C shim.
#pragma once

#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#ifdef USE_CUDA
#include <cuda_runtime_api.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/macros.h>
#define KIT_CHECK_CUDA STD_CUDA_CHECK
#endif

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../project.h"

namespace KIT_NAMESPACE {

using torch::headeronly::ScalarType;
using torch::stable::Device;
using torch::stable::Tensor;
using Sizes = torch::headeronly::IntHeaderOnlyArrayRef;

template <typename T>
constexpr ScalarType dtype_of = torch::headeronly::CppTypeToScalarType<T>::value;

// The message of STD_TORCH_CHECK would begin with a file and a line.
[[noreturn]] inline void fail(std::initializer_list<std::string_view> parts) {
  std::string message;
  for (const std::string_view part : parts) message += part;
  throw std::runtime_error(message);
}

// Only for the CPU and GPUs, because the dispatcher calls no kernel for other devices.
inline std::string to_string(const Device& device) {
  return device.is_cpu() ? "cpu" : "cuda:" + std::to_string(device.index());
}

// Splits a range among PyTorch's own threads.
template <typename Body>
void parallel_for_range(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  torch::stable::parallel_for(begin, end, grain, body);
}

#ifdef USE_CUDA
inline torch::stable::accelerator::DeviceGuard device_guard(const Tensor& tensor) {
  return torch::stable::accelerator::DeviceGuard(tensor.get_device());
}

inline cudaStream_t current_stream(const Tensor& tensor) {
  void* stream;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(tensor.get_device_index(), &stream));
  return static_cast<cudaStream_t>(stream);
}
#endif

inline Tensor new_tensor(const Tensor& like, Sizes sizes, ScalarType dtype) {
  return torch::stable::new_empty(like, sizes, dtype);
}

inline void set_to_zero(Tensor& tensor) {
  torch::stable::zero_(tensor);
}

inline Tensor to_dtype(const Tensor& tensor, ScalarType dtype) {
  return tensor.scalar_type() == dtype ? tensor : torch::stable::to(tensor, dtype);
}

inline Tensor transposed(const Tensor& tensor) {
  return torch::stable::transpose(tensor, 0, 1);
}

// The first `count` elements of a dimension. If there are more, this is a copy, because a view
// would keep the memory of all elements.
inline Tensor first_of(Tensor& tensor, int64_t dim, int64_t count) {
  using torch::stable::clone, torch::stable::narrow;
  return count == tensor.size(dim) ? tensor : clone(narrow(tensor, dim, 0, count));
}

inline Tensor first_rows(Tensor& tensor, int64_t count) {
  return first_of(tensor, 0, count);
}

inline int64_t item_of(const Tensor& tensor) {
  int64_t item;
  TORCH_ERROR_CODE_CHECK(aoti_torch_item_int64(tensor.get(), &item));
  return item;
}

// torch::stable::contiguous and new_empty look up their operator by name at every call, which takes
// half a microsecond. The C shim's own functions do not.
inline Tensor as_contiguous(const Tensor& tensor) {
  return tensor.is_contiguous() ? tensor : torch::stable::contiguous(tensor);
}

inline Tensor empty_contiguous(const Tensor& like) {
  const Sizes sizes = like.sizes();
  AtenTensorHandle empty;
  TORCH_ERROR_CODE_CHECK(aoti_torch_aten_new_empty(
      like.get(), sizes.data(), sizes.size(), nullptr, nullptr, nullptr, 0, nullptr, &empty));
  return Tensor(empty);
}

// Like is_non_overlapping_and_dense of at::Tensor: in the order of strides, each stride is the
// product of the earlier sizes.
inline bool is_dense(const Tensor& tensor) {
  std::vector<std::pair<int64_t, int64_t>> dimensions;
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    if (tensor.size(i) != 1) dimensions.emplace_back(tensor.stride(i), tensor.size(i));
  }
  std::sort(dimensions.begin(), dimensions.end());
  int64_t expected = 1;
  for (const auto& [stride, size] : dimensions) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

// The tensor itself if its elements fill its memory without gaps or overlaps, otherwise a copy with
// the layout that PyTorch's own operators would choose.
inline Tensor as_dense(const Tensor& tensor) {
  if (tensor.is_contiguous() || is_dense(tensor)) return tensor;
  Tensor copy = torch::stable::empty_like(tensor);
  return torch::stable::copy_(copy, tensor);
}

// The functions below expect a `like` that as_dense has returned.
inline Tensor empty_dense(const Tensor& like, int32_t dtype) {
  int32_t device_type, device_index;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_type(like.get(), &device_type));
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_index(like.get(), &device_index));
  AtenTensorHandle empty;
  TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(
      like.dim(), like.sizes().data(), like.strides().data(), dtype, device_type, device_index,
      &empty));
  return Tensor(empty);
}

inline Tensor empty_dense(const Tensor& like) {
  int32_t dtype;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_dtype(like.get(), &dtype));
  return empty_dense(like, dtype);
}

inline Tensor empty_dense(const Tensor& like, ScalarType dtype) {
  return empty_dense(like, torch::stable::detail::to<int32_t>(torch::stable::detail::from(dtype)));
}

inline Tensor copy_in_layout_of(const Tensor& like, const Tensor& tensor) {
  Tensor copy = empty_dense(like);
  return torch::stable::copy_(copy, tensor);
}

}  // namespace KIT_NAMESPACE
