inline Tensor empty_dense(const Tensor& like, ScalarType dtype) {
  return empty_dense(like, torch::stable::detail::to<int32_t>(torch::stable::detail::from(dtype)));
}
