// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/library.h>

#include "kit/autograd.h"

namespace my_ops {

using at::Tensor;

Tensor muladd(Tensor a, Tensor b, double c);
std::tuple<Tensor, Tensor> muladd_backward(
    Tensor grad_out, Tensor a, Tensor b, double c, bool needs_a, bool needs_b);

TORCH_LIBRARY(my_ops, m) {
  m.def("muladd(Tensor a, Tensor b, float c) -> Tensor");
  m.def("_muladd_autograd(Tensor a, Tensor b, float c) -> Tensor");
  m.def(
      "_muladd_backward(Tensor grad_out, Tensor a, Tensor b, float c, bool needs_a, bool needs_b) -> (Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(my_ops, CPU, m) {
  m.impl("muladd", &muladd);
  m.impl("_muladd_backward", &muladd_backward);
}

TORCH_LIBRARY_IMPL(my_ops, CUDA, m) {
  m.impl("muladd", &muladd);
  m.impl("_muladd_backward", &muladd_backward);
}

// ---- Autograd. If a tensor requires a gradient and no_grad is off, or if a tensor has a
// forward-mode tangent, a call goes to _<operator>_autograd, which is Python. Otherwise it goes to
// the kernels.

Tensor autograd_of_muladd(Tensor a, Tensor b, double c) {
  if (needs_gradient(a, b) || has_tangent(a, b)) {
    static const auto op = find_gradient("my_ops::_muladd_autograd", autograd_of_muladd);
    return op.call(a, b, c);
  }
  static const auto op = find_op("my_ops::muladd", autograd_of_muladd);
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call(a, b, c);
}

TORCH_LIBRARY_IMPL(my_ops, Autograd, m) {
  m.impl("muladd", &autograd_of_muladd);
}

}  // namespace my_ops
