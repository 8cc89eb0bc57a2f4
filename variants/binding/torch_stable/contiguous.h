// ---- Kernels that read and write contiguous tensors. The fake in ops/*.py promises the same.

// torch::stable::contiguous and new_empty look their operator up by name at every call, half a
// microsecond each; the C shim's own functions do not.
inline Tensor as_contiguous(const Tensor& tensor) {
  return tensor.is_contiguous() ? tensor : torch::stable::contiguous(tensor);
}
{% if floats %}

inline Tensor empty_contiguous(const Tensor& like) {
  const IntHeaderOnlyArrayRef sizes = like.sizes();
  AtenTensorHandle empty;
  TORCH_ERROR_CODE_CHECK(aoti_torch_aten_new_empty(
      like.get(), sizes.data(), sizes.size(), nullptr, nullptr, nullptr, 0, nullptr, &empty));
  return Tensor(empty);
}
{% endif %}
{% if 'contiguous_dtype' in features %}

inline Tensor empty_contiguous(const Tensor& like, ScalarType dtype) {
  return torch::stable::new_empty(like, like.sizes(), dtype);
}
{% endif %}
