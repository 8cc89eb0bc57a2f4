{# Operators whose tensors have any of the four floating-point dtypes; and whether a kernel's work is in pieces of
   several elements, such as rows. #}
{% set floats = ops | rejectattr('own_dtypes') | list %}
{% set check_cuda = 'C10_CUDA_CHECK' %}
{% set in_pieces = custom or 'rows' in features or 'factors' in features %}
// What the operators need of tensors, in terms of ATen. Only light headers: ATen/ATen.h or
// torch/extension.h would add 15 to 25 seconds to the build of every file that includes this one.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>
{% if custom or 'voxels' in features %}

{% endif %}
{% if custom %}
#include <chrono>
{% endif %}
{% if 'voxels' in features %}
#include <mutex>
{% endif %}

#ifdef USE_CUDA
#include <c10/core/DeviceGuard.h>  // not CUDAGuard.h, which takes a second to compile
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "kit/compute.h"

namespace {{ project }} {

using at::Tensor;

// ---- Checks. Every message names the operator, the argument and the offending value.

// PyTorch passes None as an undefined tensor, which has no device, dtype or shape.
inline void check_defined(const char* op, const char* name, const Tensor& tensor) {
  TORCH_CHECK(tensor.defined(), op, ": ", name, " must be a tensor, but is None");
}

{% set device_alone = binding == 'pybind11' or custom or ops | selectattr('own_dtypes') | list %}
{% set checks = 'check_device' if device_alone else 'check_input' %}
inline void {{ checks }}(const char* op, const char* name, const Tensor& tensor) {
  check_defined(op, name, tensor);
{% if binding == 'pybind11' %}
  // The dispatcher lets no other devices through, but Python may call the function itself.
  TORCH_CHECK(
      tensor.is_cpu() || tensor.is_cuda(), op, ": ", name, " must be on CPU or GPU, but is on ",
      tensor.device());
{% endif %}
#ifndef USE_CUDA
  TORCH_CHECK(
      tensor.is_cpu(), op, ": ", name, " is on a GPU, but this library was built without CUDA; ",
      "build it again with nvcc, and without CPU_ONLY");
#endif
{% if device_alone %}
}

{% endif %}
{% if floats %}
{% if device_alone %}
inline void check_input(const char* op, const char* name, const Tensor& tensor) {
  check_device(op, name, tensor);
{% endif %}
  const at::ScalarType dtype = tensor.scalar_type();
  TORCH_CHECK(
      dtype == at::kFloat || dtype == at::kDouble || dtype == at::kHalf || dtype == at::kBFloat16,
      op, ": ", name, " must have dtype Float, Double, Half or BFloat16, but has ", dtype);
}

{% set alike = ops | selectattr('kernel', 'in', ['elementwise', 'rowwise']) | list %}
{% set apart = 'rows' in features or 'factors' in features %}
{% if apart or alike %}
inline void {{ 'check_device_and_dtype' if apart else 'check_like' }}(
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
{% if apart %}
}

{% if alike %}
inline void check_like(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& like) {
  check_device_and_dtype(op, name, tensor, first, like);
{% endif %}
{% endif %}
{% if alike %}
  TORCH_CHECK(
      tensor.sizes() == like.sizes(), op, ": ", name, " must have the shape of ", first, ", ",
      like.sizes(), ", but has ", tensor.sizes(), "; torch.broadcast_tensors(", first, ", ", name,
      ") makes the shapes one");
}

{% endif %}
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

{% if in_pieces %}
// The same for pieces of so many elements each: a thread gets those that begin among its elements.
template <typename Body>
void parallel_for(int64_t count, int64_t size, const Body& body) {
  parallel_for(count * size, [&](int64_t begin, int64_t end) {
    body((begin + size - 1) / size, (end + size - 1) / size);
  });
}

{% endif %}
{% include pathjoin('variants', 'binding', 'run.h') %}
{% if floats %}

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
{% endif %}
{% for feature in features if not feature.endswith('_dtype') %}

{% include pathjoin('variants', 'binding', 'torch_library', feature ~ '.h') %}
{% endfor %}

}  // namespace {{ project }}
