// ---- Tensors that may be absent

template <typename T>
const T* const_data(const std::optional<Tensor>& tensor) {
  return tensor ? const_data<T>(*tensor) : nullptr;
}

template <typename T>
T* mutable_data(const std::optional<Tensor>& tensor) {
  return tensor ? mutable_data<T>(*tensor) : nullptr;
}
{% if ops | map(attribute='absent') | sum(start=[]) %}

inline int64_t numel_of(const std::optional<Tensor>& tensor) {
  return tensor ? tensor->numel() : 0;
}
{% endif %}
