// ---- Arguments that are written to

inline bool share_memory(const Tensor& a, const std::optional<Tensor>& b) {
  if (!b) return false;
  const auto* begin_a = static_cast<const char*>(a.const_data_ptr());
  const auto* begin_b = static_cast<const char*>(b->const_data_ptr());
  return begin_a < begin_b + b->nbytes() && begin_b < begin_a + a.nbytes();
}
{% if ops | selectattr('lists') | list %}
inline bool share_memory(const Tensor& a, const std::vector<Tensor>& tensors) {
  for (const Tensor& b : tensors) {
    if (share_memory(a, b)) return true;
  }
  return false;
}
{% endif %}

// A kernel writes to the tensor itself, in memory that none of the others may share with it.
template <typename... Others>
void check_output(const char* op, const char* name, const Tensor& tensor, const Others&... others) {
  TORCH_CHECK(
      tensor.is_contiguous(), op, ": ", name,
      " is written to and must be contiguous, but has strides ", tensor.strides());
  TORCH_CHECK(
      !(share_memory(tensor, others) || ...), op, ": ", name,
      " is written to and must not share memory with another argument");
}
