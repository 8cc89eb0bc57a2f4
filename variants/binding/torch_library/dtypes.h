// ---- Dtypes that are an operator's own choice, by the C++ types that stand for them

template <typename... T>
struct Dtypes {};

template <typename... T>
void check_dtype(
    Dtypes<T...>,
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* dtypes) {
{% if binding == 'pybind11' %}
{% include pathjoin('variants', 'binding', binding, 'check_place.h') %}
{% endif %}
  const at::ScalarType dtype = tensor.scalar_type();
  TORCH_CHECK(
      ((dtype == c10::CppTypeToScalarType<T>::value) || ...), op, ": ", name, " must have dtype ",
      dtypes, ", but has ", dtype);
}

// Calls body with a zero of the type, unless there is no element.
template <typename... T, typename Body>
void for_dtype_of(Dtypes<T...>, const Tensor& tensor, int64_t numel, const Body& body) {
  if (numel == 0) return;
  const at::ScalarType dtype = tensor.scalar_type();
  ((dtype == c10::CppTypeToScalarType<T>::value ? body(T()) : void()), ...);
}
