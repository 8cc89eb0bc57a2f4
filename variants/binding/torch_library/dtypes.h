{% set listed = ops | selectattr('kernel', 'in', ['image', 'volume']) | list %}
{% set chosen = listed + ops | selectattr('kernel', 'equalto', 'custom') | rejectattr('fixed') | list %}
// ---- Dtypes that are an operator's own choice, by the C++ types that stand for them

template <typename... T>
struct Dtypes {};
{% if listed %}

template <typename... T>
void check_dtype(
    Dtypes<T...>,
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* dtypes) {
  check_device(op, name, tensor);
  const at::ScalarType dtype = tensor.scalar_type();
  TORCH_CHECK(
      ((dtype == c10::CppTypeToScalarType<T>::value) || ...), op, ": ", name, " must have dtype ",
      dtypes, ", but has ", dtype);
}
{% endif %}
{% if chosen %}

template <typename T, typename Body>
void if_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  if (tensor.scalar_type() == c10::CppTypeToScalarType<T>::value) on_device<T>(tensor, numel, body);
}

// Calls body on the tensor's device, for the one of these types that it has.
template <typename... T, typename Body>
void for_dtype_of(Dtypes<T...>, const Tensor& tensor, int64_t numel, const Body& body) {
  (if_dtype<T>(tensor, numel, body), ...);
}
{% endif %}
