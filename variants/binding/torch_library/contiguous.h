// ---- Kernels that read and write contiguous tensors. The fake in ops/*.py promises the same.

inline Tensor as_contiguous(const Tensor& tensor) {
  return tensor.contiguous();
}
{% if floats %}

inline Tensor empty_contiguous(const Tensor& like) {
  return like.new_empty(like.sizes());
}
{% endif %}
{% if 'contiguous_dtype' in features %}

inline Tensor empty_contiguous(const Tensor& like, at::ScalarType dtype) {
  return like.new_empty(like.sizes(), like.options().dtype(dtype));
}
{% endif %}
