// What the functions are that Python calls. PyTorch writes the PYBIND11_MODULE with their names.
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

// Kernels run without Python's lock, so that other Python threads go on meanwhile.
#define wrap_pybind_function wrap_pybind_function_no_gil

namespace {{ project }} {

using at::Tensor;

{% include pathjoin('variants', 'binding', 'declarations.cpp') %}

}  // namespace {{ project }}
