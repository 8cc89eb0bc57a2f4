{% set library = 'STABLE_TORCH_LIBRARY' %}
{% set function = 'TORCH_BOX(&@)' %}
// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <tuple>

namespace {{ project }} {

using torch::stable::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

{% include pathjoin('variants', 'binding', 'registrations.cpp') %}

}  // namespace {{ project }}
