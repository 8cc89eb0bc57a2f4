// ---- Kernels that go through memory from begin to end, whichever dimension comes first in it:
// channels_last and transposed tensors stay as they are. The fake in ops/*.py promises the same.

// The tensor itself if it has no gaps, else a copy as PyTorch's own operators would make it.
inline Tensor as_dense(const Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? tensor : tensor.clone();
}

// From here on, `like` is what as_dense returned.
inline Tensor empty_dense(const Tensor& like) {
  return like.new_empty_strided(like.sizes(), like.strides());
}

inline Tensor in_layout_of(const Tensor& like, const Tensor& tensor) {
  const bool contiguous = tensor.is_contiguous() && like.is_contiguous();
  if (contiguous || tensor.strides() == like.strides()) return tensor;
  return empty_dense(like).copy_(tensor);
}
{% if 'dense_dtype' in features %}

inline Tensor empty_dense(const Tensor& like, at::ScalarType dtype) {
  return like.new_empty_strided(like.sizes(), like.strides(), like.options().dtype(dtype));
}
{% endif %}
