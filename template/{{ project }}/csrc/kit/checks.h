// Checks of tensors. Each message names the operator, the argument and its value. aten.h and stable.h
// contain the code that differs between ATen and LibTorch's stable ABI.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../project.h"
#ifdef KIT_STABLE_ABI
#include "stable.h"
#else
#include "aten.h"
#endif

namespace KIT_NAMESPACE {

inline std::string to_string(Sizes sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

inline std::string to_string(ScalarType dtype) {
  return toString(dtype);
}

// PyTorch passes None as an undefined tensor, which has no device, dtype or shape.
inline void check_defined(const char* op, const char* name, const Tensor& tensor) {
  if (!tensor.defined()) fail({op, ": ", name, " must be a tensor, but is None"});
}

inline void check_device(const char* op, const char* name, const Tensor& tensor) {
  check_defined(op, name, tensor);
  if (tensor.is_cpu()) return;
  // The dispatcher calls no kernel for other devices, but with pybind11, Python may call the
  // function directly.
  if (!tensor.is_cuda()) {
    fail({op, ": ", name, " must be on CPU or GPU, but is on ", to_string(tensor.device())});
  }
#ifndef USE_CUDA
  fail(
      {op, ": ", name, " is on a GPU, but this library was built without CUDA; build it again ",
       "with nvcc, and without CPU_ONLY"});
#endif
}

// PyTorch does not check that a list has the length in the schema.
inline void check_length(const char* op, const char* name, size_t found, size_t length) {
  if (found == length) return;
  fail(
      {op, ": ", name, " must have length ", std::to_string(length), ", got ",
       std::to_string(found)});
}

// Dtypes, as C++ types.
template <typename... T>
struct Dtypes {};

// An integer to compute sizes with. An error in one step, such as an overflow, persists in all
// later steps.
struct Integer {
  Integer(int64_t value) : value(value) {}
  Integer(Integer a, Integer b, bool overflows, int64_t result) {
    if (overflows) wrong = "too large";
    if (b.wrong) wrong = b.wrong;
    if (a.wrong) wrong = a.wrong;
    if (!wrong) value = result;
  }

  int64_t value = 1;
  const char* wrong = nullptr;
};

inline Integer operator+(Integer a, Integer b) {
  int64_t sum;
  const bool overflows = __builtin_add_overflow(a.value, b.value, &sum);
  return Integer(a, b, overflows, sum);
}
inline Integer operator-(Integer a, Integer b) {
  int64_t difference;
  const bool overflows = __builtin_sub_overflow(a.value, b.value, &difference);
  return Integer(a, b, overflows, difference);
}
inline Integer operator*(Integer a, Integer b) {
  int64_t product;
  const bool overflows = __builtin_mul_overflow(a.value, b.value, &product);
  return Integer(a, b, overflows, product);
}

// A size: its text in the signature, and its value, unless any value is accepted. For a group of
// dimensions, such as *space, `dims` points to their sizes.
struct Size {
  Size(const char* text) : text(text), known(false) {}
  Size(const char* text, Integer value) : text(text), value(value) {}
  // An integer or an enum. A template, so that 0 is never a null pointer.
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>>
  Size(T value) : value(static_cast<int64_t>(value)) {}
  Size(const char* text, const std::vector<int64_t>& dims) : text(text), dims(&dims) {}
  Size(const std::vector<int64_t>& dims) : dims(&dims) {}

  const char* text = nullptr;
  Integer value = 0;
  bool known = true;
  const std::vector<int64_t>* dims = nullptr;
};
using Shape = std::initializer_list<Size>;

// The shape of a new tensor: sizes and groups in braces, or a vector.
struct NewShape {
  NewShape(const std::vector<int64_t>& sizes) : sizes(sizes) {}
  NewShape(Shape parts) {
    for (const Size& part : parts) {
      if (part.dims) {
        sizes.insert(sizes.end(), part.dims->begin(), part.dims->end());
      } else {
        sizes.push_back(part.value.value);
      }
    }
  }

  std::vector<int64_t> sizes;
};

// Float, Double or Half
template <typename... T>
std::string to_string(Dtypes<T...>) {
  std::string text;
  size_t left = sizeof...(T);
  ((text += to_string(dtype_of<T>) + (--left > 1 ? ", " : (left == 1 ? " or " : ""))), ...);
  return text;
}

inline bool has(const Tensor& tensor, ScalarType dtype) {
  return tensor.scalar_type() == dtype;
}
inline bool has(ScalarType found, ScalarType dtype) {
  return found == dtype;
}
template <typename Given, typename... T>
bool has(const Given& given, Dtypes<T...>) {
  return (has(given, dtype_of<T>) || ...);
}

// In an unnamed namespace: in the stable ABI, types of the members of Checks have hidden visibility.
namespace {

// The dtypes of kernels that compute in float or double.
using Floats = Dtypes<float, double, torch::headeronly::Half, torch::headeronly::BFloat16>;

// Checks an operator's tensors: device, dtype, shape. The class with the same name in _kit/checks.py
// checks them for the fake kernel.
class Checks {
 public:
  Checks(const char* op, const char* first, const Tensor& tensor)
      : op_(op), first_(first), like_(tensor), device_(checked(op, first, tensor).device()) {}

  template <typename Dtype>
  void operator()(const char* name, const Tensor& tensor, const Dtype& dtype) const {
    device(name, tensor);
    if (!has(tensor, dtype)) {
      fail(
          {op_, ": ", name, " must have dtype ", to_string(dtype), ", but has ",
           to_string(tensor.scalar_type())});
    }
  }

  // `leading` has the dimensions of `...`; a null pointer accepts any.
  void operator()(
      const char* name,
      const Tensor& tensor,
      Shape shape,
      const std::vector<int64_t>* leading = nullptr) const {
    for (const Size& size : shape) {
      if (size.value.wrong || size.value.value < 0) fail_of_size(size.text, size.value);
    }
    if (!fits(tensor, shape, leading)) fail_of_shape(name, tensor, shape, leading);
  }

  template <typename Dtype>
  void operator()(
      const char* name,
      const Tensor& tensor,
      const Dtype& dtype,
      Shape shape,
      const std::vector<int64_t>* leading = nullptr) const {
    (*this)(name, tensor, dtype);
    (*this)(name, tensor, shape, leading);
  }

  // The same checks for a tensor that has the first of two shapes if the condition is true.
  template <typename Dtype>
  void either(
      const char* name,
      const Tensor& tensor,
      const Dtype& dtype,
      bool condition,
      Shape first,
      Shape second) const {
    (*this)(name, tensor, dtype, condition ? first : second);
  }

  void either(const char* name, const Tensor& tensor, bool condition, Shape first, Shape second)
      const {
    (*this)(name, tensor, condition ? first : second);
  }

  // The same checks for each tensor of a list.
  template <typename Dtype>
  void operator()(const char* name, const std::vector<Tensor>& tensors, const Dtype& dtype) const {
    of_each(name, tensors, [&](const char* one, const Tensor& tensor) {
      (*this)(one, tensor, dtype);
    });
  }

  void operator()(
      const char* name,
      const std::vector<Tensor>& tensors,
      Shape shape,
      const std::vector<int64_t>* leading = nullptr) const {
    of_each(name, tensors, [&](const char* one, const Tensor& tensor) {
      (*this)(one, tensor, shape, leading);
    });
  }

  template <typename Dtype>
  void operator()(
      const char* name,
      const std::vector<Tensor>& tensors,
      const Dtype& dtype,
      Shape shape,
      const std::vector<int64_t>* leading = nullptr) const {
    (*this)(name, tensors, dtype);
    (*this)(name, tensors, shape, leading);
  }

  // ---- Tensors compared with others

  // Checks that there is a kernel for the dtype of the first tensor.
  void floating() const {
    (*this)(first_, like_, Floats());
  }

  // Checks that a tensor has the device, dtype and shape of the first.
  void like(const char* name, const Tensor& tensor) const {
    device_and_dtype(name, tensor);
    if (!tensor.sizes().equals(like_.sizes())) {
      fail(
          {op_, ": ", name, " must have the shape of ", first_, ", ", to_string(like_.sizes()),
           ", but has ", to_string(tensor.sizes()),
           "; broadcast them first: torch.broadcast_tensors(", first_, ", ", name, ")"});
    }
  }

  // Checks that the first tensor has rows, along its last dimension.
  void rows() const {
    if (like_.dim() == 0) fail({op_, ": ", first_, " must have at least one dimension"});
  }

  // Checks that a tensor has one element for each element of a row of another one.
  void columns(const char* name, const Tensor& tensor, const char* of, const Tensor& rows) const {
    device_and_dtype(name, tensor);
    if (tensor.dim() != 1 || tensor.size(0) != rows.size(-1)) {
      fail(
          {op_, ": ", name, " must have the shape of a row of ", of, ", [",
           std::to_string(rows.size(-1)), "], but has ", to_string(tensor.sizes())});
    }
  }

  // Checks that the first tensor is a matrix that can be multiplied by `b`.
  void factors(const char* name, const Tensor& b) const {
    device_and_dtype(name, b);
    matrix(first_, like_);
    matrix(name, b);
    if (b.size(0) != like_.size(1)) {
      fail(
          {op_, ": ", name, " must have the shape [", std::to_string(like_.size(1)), ", ",
           std::to_string(b.size(1)), "] to match the columns of ", first_, ", but has ",
           to_string(b.sizes())});
    }
  }

  // Checks that a tensor has the shape of the product of the first tensor and `b`.
  void product(const char* name, const Tensor& tensor, const char* of, const Tensor& b) const {
    device_and_dtype(name, tensor);
    if (tensor.dim() != 2 || tensor.size(0) != like_.size(0) || tensor.size(1) != b.size(1)) {
      fail(
          {op_, ": ", name, " must have the shape of the product of ", first_, " and ", of, ", [",
           std::to_string(like_.size(0)), ", ", std::to_string(b.size(1)), "], but has ",
           to_string(tensor.sizes())});
    }
  }

  // Checks the last dimension of the first tensor.
  void channels(int64_t count) const {
    if (like_.dim() == 0 || like_.size(-1) != count) {
      fail(
          {op_, ": ", first_, " must have ", std::to_string(count),
           " channels in its last dimension, but has the shape ", to_string(like_.sizes())});
    }
  }

  // ---- Dtypes and sizes

  // Checks an argument that is a dtype.
  template <typename Dtype>
  void dtype(const char* name, ScalarType found, const Dtype& dtypes) const {
    if (!has(found, dtypes)) {
      fail({op_, ": ", name, " must be ", to_string(dtypes), ", but is ", to_string(found)});
    }
  }

  // Returns a computed size, which must be 0 or more.
  int64_t size(const char* text, Integer value) const {
    if (value.wrong || value.value < 0) fail_of_size(text, value);
    return value.value;
  }

  // The dimensions of a group: all except the first `before` and the last `behind`.
  static std::vector<int64_t> dims(const Tensor& tensor, int64_t before, int64_t behind) {
    std::vector<int64_t> sizes;
    for (int64_t i = before; i < tensor.dim() - behind; ++i) sizes.push_back(tensor.size(i));
    return sizes;
  }
  static int64_t rank(const std::vector<int64_t>& dims) {
    return static_cast<int64_t>(dims.size());
  }
  // Returns a shape of sizes and groups, for results as `<op>.cpp` of 0.7.0 allocates them.
  static std::vector<int64_t> shape(Shape parts) {
    return NewShape(parts).sizes;
  }

  // Returns the first of two shapes if the condition is true. Computed sizes, which have a text, must
  // be 0 or more.
  std::vector<int64_t> shape(bool condition, Shape first, Shape second) const {
    const Shape chosen = condition ? first : second;
    for (const Size& part : chosen) {
      if (part.text) size(part.text, part.value);
    }
    return NewShape(chosen).sizes;
  }

  // Allocates a result, whose elements are not set.
  Tensor result(const char* name, const NewShape& shape, ScalarType dtype) const {
    Integer numel = 1;
    for (const int64_t size : shape.sizes) {
      if (size < 0) fail({op_, ": ", name, " can't have the shape ", to_string(shape.sizes)});
      numel = numel * size;
    }
    if (numel.wrong) {
      fail(
          {op_, ": ", name, " can't have the shape ", to_string(shape.sizes),
           ", which is too large"});
    }
    return new_tensor(like_, shape.sizes, dtype);
  }

  // Allocates a result of zeros, for a kernel that adds to it.
  Tensor zeros(const char* name, const NewShape& shape, ScalarType dtype) const {
    Tensor tensor = result(name, shape, dtype);
    set_to_zero(tensor);
    return tensor;
  }

 private:
  static const Tensor& checked(const char* op, const char* name, const Tensor& tensor) {
    check_device(op, name, tensor);
    return tensor;
  }

  void device(const char* name, const Tensor& tensor) const {
    check_defined(op_, name, tensor);
    if (tensor.device() != device_) {
      fail(
          {op_, ": ", name, " must be on ", to_string(device_), ", the device of ", first_,
           ", but is on ", to_string(tensor.device())});
    }
  }

  void device_and_dtype(const char* name, const Tensor& tensor) const {
    device(name, tensor);
    if (tensor.scalar_type() != like_.scalar_type()) {
      fail(
          {op_, ": ", name, " must have the dtype of ", first_, ", ",
           to_string(like_.scalar_type()), ", but has ", to_string(tensor.scalar_type())});
    }
  }

  void matrix(const char* name, const Tensor& tensor) const {
    if (tensor.dim() != 2) {
      fail({op_, ": ", name, " must have two dimensions, but has ", to_string(tensor.sizes())});
    }
  }

  template <typename Check>
  static void of_each(const char* name, const std::vector<Tensor>& tensors, const Check& check) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      check((std::string(name) + "[" + std::to_string(i) + "]").c_str(), tensors[i]);
    }
  }

  static bool is_leading(const Size& size) {
    return size.text && std::string_view(size.text) == "...";
  }

  static bool is_group(const Size& size) {
    return size.dims || is_leading(size) || (size.text && size.text[0] == '*');
  }

  // The number of dimensions is known for all groups of a shape except one, which gets the rest.
  static bool fits(const Tensor& tensor, Shape shape, const std::vector<int64_t>* leading) {
    const auto dims_of = [&](const Size& size) {
      return is_leading(size) ? leading : size.dims;
    };
    int64_t left = tensor.dim();
    bool open = false;
    for (const Size& size : shape) {
      const auto* dims = dims_of(size);
      open = open || (is_group(size) && !dims);
      left -= dims ? rank(*dims) : !is_group(size);
    }
    if (open ? left < 0 : left != 0) return false;
    int64_t at = 0;
    for (const Size& size : shape) {
      if (const auto* dims = dims_of(size)) {
        for (const int64_t dim : *dims) {
          if (tensor.size(at++) != dim) return false;
        }
      } else if (is_group(size)) {
        at += left;
      } else if (tensor.size(at++) != size.value.value && size.known) {
        return false;
      }
    }
    return true;
  }

  // a size of the signature is too large: N * k
  [[noreturn]] void fail_of_size(const char* text, Integer value) const {
    if (value.wrong) fail({op_, ": a size of the signature is ", value.wrong, ": ", text});
    const std::string negative = std::to_string(value.value);
    fail({op_, ": a size of the signature is negative: ", text, " = ", negative});
  }

  // x must have the shape [N, D] with N = 5, but has [4, 3]
  [[noreturn]] void fail_of_shape(
      const char* name,
      const Tensor& tensor,
      Shape shape,
      const std::vector<int64_t>* leading) const {
    std::string text, values;
    for (const Size& size : shape) {
      const std::string value = std::to_string(size.value.value);
      text += (text.empty() ? "" : ", ") + (size.text ? size.text : value);
      if (!size.text || !(size.known || (leading && is_leading(size)))) continue;
      values += std::string(values.empty() ? " with " : ", ") + size.text + " = ";
      values += size.dims ? to_string(*size.dims)
                          : (is_leading(size) ? to_string(*leading) : value);
    }
    fail(
        {op_, ": ", name, " must have the shape [", text, "]", values, ", but has ",
         to_string(tensor.sizes())});
  }

  const char* op_;
  const char* first_;
  const Tensor like_;
  const Device device_;
};

}  // namespace

}  // namespace KIT_NAMESPACE
