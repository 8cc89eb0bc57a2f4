// ---- Gradients, of which only those that are needed are tensors: for a kernel, null pointers

template <typename T>
T* needed_data(const Tensor& gradient) {
  return gradient.defined() ? mutable_data<T>(gradient) : nullptr;
}

#ifdef USE_CUDA
template <typename T>
typename cuda_type<T>::type* needed_cuda_data(const Tensor& gradient) {
  return gradient.defined() ? mutable_cuda_data<T>(gradient) : nullptr;
}
#endif
