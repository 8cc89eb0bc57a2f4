// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
{% if ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/GradMode.h>
{% endif %}
#include <torch/library.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'operators.cpp') %}
}  // namespace {{ project }}
