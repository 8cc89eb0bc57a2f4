{% from pathjoin('variants', 'macros.jinja') import cpp_call %}
// Makes the functions callable from Python. Nothing is computed here.
#include <torch/csrc/utils/pybind.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

// Kernels run without Python's lock, so that other Python threads go on meanwhile.
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
{% for item in ops %}
{% for pass in item.passes %}
{{ cpp_call('  m.def(', [['"@"', [pass.name]], ['&@', [pass.name]], ['py::call_guard<py::gil_scoped_release>()', ['']]], ');') }}
{% endfor %}
{% endfor %}
}

}  // namespace {{ project }}
