// Operators by schemas, as TORCH_LIBRARY has them.
#include <torch/library.h>

TORCH_LIBRARY(small, m) {
  m.def("nms(Tensor boxes, Tensor scores, float iou) -> Tensor");
  m.def(
      "attend(Tensor q, Tensor k, *, bool with_lse=False) -> "
      "(Tensor out, Tensor? lse)");
  m.def("add_(Tensor(a!) x, Tensor y) -> ()");
  // m.def("commented(Tensor x) -> Tensor");
}
