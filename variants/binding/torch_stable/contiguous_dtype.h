inline Tensor empty_contiguous(const Tensor& like, ScalarType dtype) {
  return torch::stable::new_empty(like, like.sizes(), dtype);
}
