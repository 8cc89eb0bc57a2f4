// ---- Tensors that may be absent: for a kernel, null pointers

template <typename T>
const T* const_data(const std::optional<Tensor>& tensor) {
  return tensor ? const_data<T>(*tensor) : nullptr;
}

template <typename T>
T* mutable_data(const std::optional<Tensor>& tensor) {
  return tensor ? mutable_data<T>(*tensor) : nullptr;
}

#ifdef USE_CUDA
template <typename T>
const typename cuda_type<T>::type* const_cuda_data(const std::optional<Tensor>& tensor) {
  return tensor ? const_cuda_data<T>(*tensor) : nullptr;
}

template <typename T>
typename cuda_type<T>::type* mutable_cuda_data(const std::optional<Tensor>& tensor) {
  return tensor ? mutable_cuda_data<T>(*tensor) : nullptr;
}
#endif
