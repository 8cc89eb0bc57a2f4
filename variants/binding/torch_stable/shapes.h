// ---- Shapes and dtypes, as a signature has them

template <typename T>
constexpr ScalarType dtype_of = torch::headeronly::CppTypeToScalarType<T>::value;

inline Tensor new_tensor(const Tensor& like, IntHeaderOnlyArrayRef sizes, ScalarType dtype) {
  return torch::stable::new_empty(like, sizes, dtype);
}

inline void set_to_zero(Tensor& tensor) {
  torch::stable::zero_(tensor);
}

{% include pathjoin('variants', 'binding', 'shapes.h') %}
