// ---- Kernels that go through memory from begin to end, whichever dimension comes first in it:
// channels_last and transposed tensors stay as they are. The fake in ops/*.py promises the same.

// By the C shim: torch::stable::new_empty looks its operator up by name at every call, half a
// microsecond. `like` has no gaps.
inline Tensor empty_dense(const Tensor& like, int32_t dtype) {
  int32_t device_type, device_index;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_type(like.get(), &device_type));
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_device_index(like.get(), &device_index));
  AtenTensorHandle empty;
  TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(
      like.dim(), like.sizes().data(), like.strides().data(), dtype, device_type, device_index,
      &empty));
  return Tensor(empty);
}

inline Tensor empty_dense(const Tensor& like) {
  int32_t dtype;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_dtype(like.get(), &dtype));
  return empty_dense(like, dtype);
}

inline Tensor in_layout_of(const Tensor& like, const Tensor& tensor) {
  const bool contiguous = tensor.is_contiguous() && like.is_contiguous();
  if (contiguous || tensor.strides().equals(like.strides())) return tensor;
  Tensor copy = empty_dense(like);
  return torch::stable::copy_(copy, tensor);
}

// As at::Tensor's is_non_overlapping_and_dense: each stride is the product of the sizes before it.
inline bool is_dense(const Tensor& tensor) {
  std::vector<std::pair<int64_t, int64_t>> dimensions;
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    if (tensor.size(i) != 1) dimensions.emplace_back(tensor.stride(i), tensor.size(i));
  }
  std::sort(dimensions.begin(), dimensions.end());
  int64_t expected = 1;
  for (const auto& [stride, size] : dimensions) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

// The tensor itself if it has no gaps, else a copy as PyTorch's own operators would make it.
inline Tensor as_dense(const Tensor& tensor) {
  if (tensor.is_contiguous() || is_dense(tensor)) return tensor;
  Tensor copy = torch::stable::empty_like(tensor);
  return torch::stable::copy_(copy, tensor);
}
{% if 'dense_dtype' in features %}

inline Tensor empty_dense(const Tensor& like, ScalarType dtype) {
  return empty_dense(like, torch::stable::detail::to<int32_t>(torch::stable::detail::from(dtype)));
}
{% endif %}
