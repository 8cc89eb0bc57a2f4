void prepare_to_write(const char* name, const Tensor& tensor) {
  TORCH_CHECK(!needs_gradient(tensor), "{{ item.name }}", ": ", name, " is written to, so it can't require a gradient");
  tensor.unsafeGetTensorImpl()->bump_version();
}
