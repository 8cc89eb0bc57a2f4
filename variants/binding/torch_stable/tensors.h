{# Operators whose tensors have any of the four floating-point dtypes; and whether a kernel's work is in pieces of
   several elements, such as rows. #}
{% set floats = ops | rejectattr('own_dtypes') | list %}
{% set check_cuda = 'STD_CUDA_CHECK' %}
{% set in_pieces = custom or 'rows' in features or 'factors' in features %}
// What the operators need of tensors, in terms of LibTorch's stable ABI: what is compiled against
// one PyTorch runs with every later one, and with earlier ones down to TORCH_TARGET_VERSION. Only
// the headers of torch/csrc/stable and torch/headeronly, and the C shim, keep that promise.
#pragma once

{% if 'factors' in features %}
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.h>
{% endif %}
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

{% if 'dense' in features %}
#include <algorithm>
{% endif %}
{% if custom %}
#include <chrono>
{% endif %}
#include <initializer_list>
{% if 'voxels' in features %}
#include <mutex>
{% endif %}
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
{% if 'dense' in features %}
#include <utility>
{% endif %}
{% if 'dense' in features or 'shapes' in features %}
#include <vector>
{% endif %}

#ifdef USE_CUDA
#include <cuda_runtime_api.h>
{% if 'factors' in features %}
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cuda.h>
{% endif %}
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/macros.h>
#endif

#include "kit/compute.h"

namespace {{ project }} {

using torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::ScalarType;
using torch::stable::Device;
using torch::stable::Tensor;

// ---- Checks. Every message names the operator, the argument and the offending value.

// STD_TORCH_CHECK would begin the message with a file and a line.
[[noreturn]] inline void fail(std::initializer_list<std::string_view> parts) {
  std::string message;
  for (const std::string_view part : parts) message += part;
  throw std::runtime_error(message);
}

// The dispatcher lets no other devices through.
inline std::string to_string(const Device& device) {
  return device.is_cpu() ? "cpu" : "cuda:" + std::to_string(device.index());
}

inline std::string to_string(const IntHeaderOnlyArrayRef& sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

// PyTorch passes None as an undefined tensor, which has no device, dtype or shape.
inline void check_defined(const char* op, const char* name, const Tensor& tensor) {
  if (!tensor.defined()) fail({op, ": ", name, " must be a tensor, but is None"});
}

{% set device_alone = binding == 'pybind11' or custom or ops | selectattr('own_dtypes') | list %}
{% set checks = 'check_device' if device_alone else 'check_input' %}
inline void {{ checks }}(const char* op, const char* name, const Tensor& tensor) {
  check_defined(op, name, tensor);
#ifndef USE_CUDA
  if (!tensor.is_cpu()) {
    fail(
        {op, ": ", name, " is on a GPU, but this library was built without CUDA; build it again ",
         "with nvcc, and without CPU_ONLY"});
  }
#endif
{% if device_alone %}
}

{% endif %}
{% if floats %}
{% if device_alone %}
inline void check_input(const char* op, const char* name, const Tensor& tensor) {
  check_device(op, name, tensor);
{% endif %}
  const ScalarType dtype = tensor.scalar_type();
  if (dtype != ScalarType::Float && dtype != ScalarType::Double && dtype != ScalarType::Half &&
      dtype != ScalarType::BFloat16) {
    fail(
        {op, ": ", name, " must have dtype Float, Double, Half or BFloat16, but has ",
         toString(dtype)});
  }
}

inline void check_device_and_dtype(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& like) {
  check_defined(op, name, tensor);
  if (tensor.device() != like.device()) {
    fail(
        {op, ": ", name, " must be on the device of ", first, ", ", to_string(like.device()),
         ", but is on ", to_string(tensor.device())});
  }
  if (tensor.scalar_type() != like.scalar_type()) {
    fail(
        {op, ": ", name, " must have the dtype of ", first, ", ", toString(like.scalar_type()),
         ", but has ", toString(tensor.scalar_type())});
  }
}

{% if ops | selectattr('kernel', 'in', ['elementwise', 'rowwise']) | list %}
inline void check_like(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& like) {
  check_device_and_dtype(op, name, tensor, first, like);
  if (!tensor.sizes().equals(like.sizes())) {
    fail(
        {op, ": ", name, " must have the shape of ", first, ", ", to_string(like.sizes()),
         ", but has ", to_string(tensor.sizes()), "; torch.broadcast_tensors(", first, ", ", name,
         ") makes the shapes one"});
  }
}

{% endif %}
{% endif %}
// ---- Memory. An absent tensor, and a gradient that is not needed, is a null pointer for a kernel.

template <typename T>
const T* const_data(const Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}

template <typename T>
T* mutable_data(const Tensor& tensor) {
  return tensor.defined() ? static_cast<T*>(tensor.mutable_data_ptr()) : nullptr;
}

// Splits a range among PyTorch's own threads.
template <typename Body>
void parallel_for_range(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  torch::stable::parallel_for(begin, end, grain, body);
}

// Splits elements: a thread gets at least as many as PyTorch's elementwise operators give it.
template <typename Body>
void parallel_for(int64_t numel, const Body& body) {
  parallel_for_range(0, numel, 32768, body);
}

{% if in_pieces %}
// The same for pieces of so many elements each: a thread gets those that begin among its elements.
template <typename Body>
void parallel_for(int64_t count, int64_t size, const Body& body) {
  parallel_for(count * size, [&](int64_t begin, int64_t end) {
    body((begin + size - 1) / size, (end + size - 1) / size);
  });
}

{% endif %}
#ifdef USE_CUDA
inline cudaStream_t current_stream(const Tensor& tensor) {
  void* stream;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(tensor.get_device_index(), &stream));
  return static_cast<cudaStream_t>(stream);
}
#endif

{% include pathjoin('variants', 'binding', 'run.h') %}
{% if floats %}

// The same by dtype. CUDA's 16-bit types have the layout of PyTorch's.
template <typename Body>
void for_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  switch (const ScalarType dtype = tensor.scalar_type()) {
    case ScalarType::Float:
      return on_device<float, float>(tensor, numel, body);
    case ScalarType::Double:
      return on_device<double, double>(tensor, numel, body);
    case ScalarType::Half:
      return on_device<torch::headeronly::Half, __half>(tensor, numel, body);
    case ScalarType::BFloat16:
      return on_device<torch::headeronly::BFloat16, __nv_bfloat16>(tensor, numel, body);
    default:
      fail({"check_input admits no ", toString(dtype)});
  }
}
{% endif %}
{% for feature in features if not feature.endswith('_dtype') %}

{% include [pathjoin('variants', 'binding', 'torch_stable', feature ~ '.h'),
             pathjoin('variants', 'binding', 'torch_library', feature ~ '.h')] %}
{% endfor %}

}  // namespace {{ project }}
