{% set library = 'TORCH_LIBRARY' %}
{% set function = '&@' %}
// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
{% if ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/GradMode.h>
{% endif %}
#include <torch/library.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

{% include pathjoin('variants', 'binding', 'registrations.cpp') %}

{% if ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
{% include pathjoin('variants', 'autograd', 'function', 'cpp', 'bindings.cpp') %}

{% endif %}
}  // namespace {{ project }}
