bool needs_gradient(const std::optional<Tensor>& tensor) {
  return tensor && needs_gradient(*tensor);
}
