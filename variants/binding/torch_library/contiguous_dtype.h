inline Tensor empty_contiguous(const Tensor& like, at::ScalarType dtype) {
  return like.new_empty(like.sizes(), like.options().dtype(dtype));
}
