// Registers the operators with PyTorch's dispatcher, and makes the module that Python imports.
// Nothing is computed here.
#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>

{{ '#include "kit/autograd.h"\n\n' if ops | selectattr('dispatch', 'equalto', 'cpp') | list -}}
namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'operators.cpp') %}
// EDIT: other functions for Python. A call bypasses PyTorch's dispatcher: no autograd, no
// torch.compile. Other Python threads run during the call.
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
{% for pass in ops | map(attribute='passes') | sum(start=[]) %}
  m.def(‹"{{ pass.name }}", &{{ pass.name }}, py::call_guard<py::gil_scoped_release>()›);
{% endfor %}
}

}  // namespace {{ project }}
