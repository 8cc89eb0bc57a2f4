bool has_tangent(const std::optional<Tensor>& tensor) {
  return tensor && has_tangent(*tensor);
}

bool needs_gradient(const std::optional<Tensor>& tensor) {
  return tensor && needs_gradient(*tensor);
}
