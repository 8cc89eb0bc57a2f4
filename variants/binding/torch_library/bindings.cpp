{% set library = 'TORCH_LIBRARY' %}
{% set function = '&@' %}
// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
{% for _ in (ops | selectattr('dispatch', 'equalto', 'cpp') | list)[:1] %}
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/GradMode.h>
{% endfor %}
#include <torch/library.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

{% include pathjoin('variants', 'binding', 'registrations.cpp') %}

{% for _ in (ops | selectattr('dispatch', 'equalto', 'cpp') | list)[:1] %}
{% include pathjoin('variants', 'autograd', 'function', 'cpp', 'bindings.cpp') %}

{% endfor %}
}  // namespace {{ project }}
