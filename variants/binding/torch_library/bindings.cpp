{% set library = 'TORCH_LIBRARY' %}
{% set function = '&@' %}
// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/library.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

{% include pathjoin('variants', 'binding', 'registrations.cpp') %}

}  // namespace {{ project }}
