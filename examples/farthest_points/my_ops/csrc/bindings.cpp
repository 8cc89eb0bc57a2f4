// Registers the operators with PyTorch's dispatcher. Nothing is computed here.
#include <torch/library.h>

namespace my_ops {

using at::Tensor;

Tensor farthest_points(Tensor points, int64_t npoint);

TORCH_LIBRARY(my_ops, m) {
  m.def("farthest_points(Tensor points, SymInt npoint) -> Tensor");
}

TORCH_LIBRARY_IMPL(my_ops, CPU, m) {
  m.impl("farthest_points", &farthest_points);
}

TORCH_LIBRARY_IMPL(my_ops, CUDA, m) {
  m.impl("farthest_points", &farthest_points);
}

}  // namespace my_ops
