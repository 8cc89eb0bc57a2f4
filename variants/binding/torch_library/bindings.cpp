{% from pathjoin('variants', 'macros.jinja') import cpp %}
// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/library.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

TORCH_LIBRARY({{ project }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.def(', [['"@"', [name ~ pass.schema]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}

TORCH_LIBRARY_IMPL({{ project }}, CPU, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
  m.impl("{{ name }}", &{{ pass.name }});
{% endfor %}
{% endfor %}
{% endfor %}
}

TORCH_LIBRARY_IMPL({{ project }}, CUDA, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
  m.impl("{{ name }}", &{{ pass.name }});
{% endfor %}
{% endfor %}
{% endfor %}
}

}  // namespace {{ project }}
