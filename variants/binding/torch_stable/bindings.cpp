{% from pathjoin('variants', 'macros.jinja') import cpp %}
// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <tuple>

namespace {{ project }} {

using torch::stable::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

STABLE_TORCH_LIBRARY({{ project }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.def(', [['"@"', [name ~ pass.schema]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}

STABLE_TORCH_LIBRARY_IMPL({{ project }}, CPU, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.impl(', [['"@"', [name]], ['TORCH_BOX(&@)', [pass.name]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}

STABLE_TORCH_LIBRARY_IMPL({{ project }}, CUDA, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.impl(', [['"@"', [name]], ['TORCH_BOX(&@)', [pass.name]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}

}  // namespace {{ project }}
