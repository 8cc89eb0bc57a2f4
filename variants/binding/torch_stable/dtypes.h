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
  const ScalarType dtype = tensor.scalar_type();
  if (!((dtype == torch::headeronly::CppTypeToScalarType<T>::value) || ...)) {
    fail({op, ": ", name, " must have dtype ", dtypes, ", but has ", toString(dtype)});
  }
}

// Calls body with a zero of the type, unless there is no element.
template <typename... T, typename Body>
void for_dtype_of(Dtypes<T...>, const Tensor& tensor, int64_t numel, const Body& body) {
  if (numel == 0) return;
  const ScalarType dtype = tensor.scalar_type();
  ((dtype == torch::headeronly::CppTypeToScalarType<T>::value ? body(T()) : void()), ...);
}
