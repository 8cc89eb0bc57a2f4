inline Tensor empty_dense(const Tensor& like, at::ScalarType dtype) {
  return like.new_empty_strided(like.sizes(), like.strides(), like.options().dtype(dtype));
}
