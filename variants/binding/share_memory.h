inline bool share_memory(const Tensor& a, const std::optional<Tensor>& b) {
  if (!b) return false;
  const auto* begin_a = static_cast<const char*>(a.const_data_ptr());
  const auto* begin_b = static_cast<const char*>(b->const_data_ptr());
  const size_t nbytes_a = a.numel() * a.element_size();
  const size_t nbytes_b = b->numel() * b->element_size();
  return begin_a < begin_b + nbytes_b && begin_b < begin_a + nbytes_a;
}
{% if ops | selectattr('lists') | list %}
inline bool share_memory(const Tensor& a, const std::vector<Tensor>& tensors) {
  for (const Tensor& b : tensors) {
    if (share_memory(a, b)) return true;
  }
  return false;
}
{% endif %}
