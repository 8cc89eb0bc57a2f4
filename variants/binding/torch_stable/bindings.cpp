// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <tuple>

namespace {{ project }} {

using torch::stable::Tensor;

{% include pathjoin('variants', 'binding', 'operators.cpp') %}
}  // namespace {{ project }}
