// Operators with a gradient in C++: how to find them, and which calls need a gradient. LibTorch's
// stable ABI has no autograd, so only files that use ATen include this header.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <optional>
#include <string>

#include "../project.h"

namespace KIT_NAMESPACE {

// Finds an operator to call through the dispatcher, not by its function: under torch.compile, the
// dispatcher calls other kernels.
template <typename Function>
auto find_op(const char* name, Function*) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
}

// Finds the operator of a gradient in Python, which exists after the package is imported.
template <typename Function>
auto find_gradient(const char* name, Function* function) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
  const std::string package(name, std::string(name).find(':'));
  TORCH_CHECK(
      op.hasKernelForDispatchKey(c10::DispatchKey::Autograd), name,
      ": the gradient needs Python: import ", package,
      ". Without Python, call the operator under at::NoGradGuard");
  return find_op(name, function);
}

inline bool needs_gradient(const at::Tensor& tensor) {
  return at::GradMode::is_enabled() && tensor.requires_grad();
}
inline bool needs_gradient(const std::optional<at::Tensor>& tensor) {
  return tensor && needs_gradient(*tensor);
}
template <typename First, typename Second, typename... Others>
bool needs_gradient(const First& first, const Second& second, const Others&... others) {
  return needs_gradient(first) || needs_gradient(second, others...);
}

// Whether a tensor has a tangent of forward mode.
inline bool has_tangent(const at::Tensor& tensor) {
  return tensor._fw_grad(0).defined();
}
inline bool has_tangent(const std::optional<at::Tensor>& tensor) {
  return tensor && has_tangent(*tensor);
}
template <typename First, typename Second, typename... Others>
bool has_tangent(const First& first, const Second& second, const Others&... others) {
  return has_tangent(first) || has_tangent(second, others...);
}

inline bool in_torch_func() {
  const auto keys = c10::impl::tls_local_dispatch_key_set().included_;
  return keys.has(c10::DispatchKey::FuncTorchDynamicLayerBackMode);
}

// Tells autograd that a tensor is written to.
inline void prepare_to_write(const char* op, const char* name, const at::Tensor& tensor) {
  TORCH_CHECK(
      !needs_gradient(tensor), op, ": ", name,
      " is written to, so it must not require a gradient");
  tensor.unsafeGetTensorImpl()->bump_version();
}

}  // namespace KIT_NAMESPACE
