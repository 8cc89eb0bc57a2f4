// Functions that pybind11 gives to Python.
#include <torch/extension.h>

torch::Tensor gather_rows(torch::Tensor x, const at::Tensor& index);

std::tuple<at::Tensor, at::Tensor> rms(
    const at::Tensor& x,
    const c10::optional<at::Tensor>& weight,
    double eps = 1e-6) {
  return {x, x};
}

void scale_into(at::Tensor& x, float by, bool twice = true, std::vector<int64_t> sizes = {1, 2}) {}

void copy_into(torch::Tensor out, torch::Tensor x) {}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("gather", &gather_rows, "rows of x", py::arg("x"), py::arg("index"));
  m.def("rms_norm", &rms);
  m.def("scale_into_", &scale_into);
  m.def("copy_into", copy_into);
}
