// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
{{ '#include <ATen/core/LegacyTypeDispatch.h>\n#include <c10/core/GradMode.h>\n'
  if ops | selectattr('dispatch', 'equalto', 'cpp') | list -}}
#include <torch/library.h>

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'operators.cpp') %}
}  // namespace {{ project }}
