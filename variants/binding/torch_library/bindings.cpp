// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/library.h>

{{ '#include "kit/autograd.h"\n\n' if ops | selectattr('dispatch', 'equalto', 'cpp') | list -}}
namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'operators.cpp') %}
}  // namespace {{ project }}
