// ---- Results with a dtype of their own

inline Tensor empty_contiguous(const Tensor& like, at::ScalarType dtype) {
  return like.new_empty(like.sizes(), like.options().dtype(dtype));
}

// Calls body with a zero of each type.
template <typename Body>
void for_dtype(const Tensor& tensor, const Tensor& out, int64_t numel, const Body& body) {
  for_dtype(tensor, numel, [&](auto zero) {
    for_dtype(out, numel, [&](auto out_zero) {
      body(zero, out_zero);
    });
  });
}
