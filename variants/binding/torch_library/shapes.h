// ---- Shapes and dtypes, as a signature has them

using at::ScalarType;
using c10::Device;

template <typename T>
constexpr ScalarType dtype_of = c10::CppTypeToScalarType<T>::value;

[[noreturn]] inline void fail(std::initializer_list<std::string_view> parts) {
  std::string message;
  for (const std::string_view part : parts) message += part;
  TORCH_CHECK(false, message);
}

inline std::string to_string(const Device& device) {
  return device.str();
}
inline std::string to_string(at::IntArrayRef sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

inline Tensor new_tensor(const Tensor& like, at::IntArrayRef sizes, ScalarType dtype) {
  return like.new_empty(sizes, like.options().dtype(dtype));
}

inline void set_to_zero(Tensor& tensor) {
  tensor.zero_();
}

{% include pathjoin('variants', 'binding', 'shapes.h') %}
