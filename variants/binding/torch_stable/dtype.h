// ---- Results with a dtype of their own

// Calls body with a zero of each type.
template <typename Body>
void for_dtype(const Tensor& tensor, const Tensor& out, int64_t numel, const Body& body) {
  for_dtype(tensor, numel, [&](auto zero) {
    for_dtype(out, numel, [&](auto out_zero) {
      body(zero, out_zero);
    });
  });
}
