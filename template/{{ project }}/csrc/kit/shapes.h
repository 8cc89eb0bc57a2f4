// Custom operators, for C++ code that handles tensors: checks of the signature's shapes, lists of
// tensors, and results whose size only the kernel knows.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tensors.h"

namespace KIT_NAMESPACE {

// DtypesAfter<void MACRO(COMMA_AND)> is Dtypes<float, double> if MACRO(DO) is DO(float) DO(double).
template <typename, typename... T>
using DtypesAfter = Dtypes<T...>;
#define COMMA_AND(T) , T
// The macro of a second dtype variable also takes A, a dtype of the first: MACRO(DO, A) is, for
// example, DO(A, float) DO(A, double). The third also takes B, and the fourth B and C.
#define COMMA_AND_SECOND(A, T) , T
#define COMMA_AND_THIRD(A, B, T) , T
#define COMMA_AND_FOURTH(A, B, C, T) , T

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

// a // b as in signatures and in Python: rounded down, not towards zero.
inline Integer floor_div(Integer a, Integer b) {
  if (b.value == 0) {
    b.value = 1;
    b.wrong = "divided by 0";
  }
  if (b.value == -1) return 0 - a;  // the one quotient that can be too large
  const bool is_above = a.value % b.value != 0 && (a.value < 0) != (b.value < 0);
  return Integer(a, b, false, a.value / b.value - is_above);
}

// Returns N for a dimension of size `a` that is N * b in the signature. Ignores a remainder: the
// check of the shape refuses it.
inline Integer quotient(Integer a, Integer b) {
  return b.value == 0 ? b : floor_div(a, b);
}

// A size: its text in the signature, and its value, unless any value is accepted. For a group of
// dimensions, such as *space, `dims` points to their sizes.
struct Size {
  Size(const char* text) : text(text), known(false) {}
  Size(const char* text, Integer value) : text(text), value(value) {}
  Size(int64_t value) : value(value) {}
  Size(const char* text, const std::vector<int64_t>& dims) : text(text), dims(&dims) {}
  Size(const std::vector<int64_t>& dims) : dims(&dims) {}

  const char* text = nullptr;
  Integer value = 0;
  bool known = true;
  const std::vector<int64_t>* dims = nullptr;
};
using Shape = std::initializer_list<Size>;

// The dimensions that the signature writes as `...`: all except the last `others`.
inline std::vector<int64_t> leading_sizes(const Tensor& tensor, int64_t others) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < tensor.dim() - others; ++i) sizes.push_back(tensor.size(i));
  return sizes;
}
inline std::vector<int64_t> joined(
    std::vector<int64_t> leading,
    std::initializer_list<int64_t> others) {
  leading.insert(leading.end(), others);
  return leading;
}
inline int64_t numel_of(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return count;
}

template <typename... T>
std::string to_string(Dtypes<T...>) {
  std::string text;
  ((text += (text.empty() ? "" : " or ") + to_string(dtype_of<T>)), ...);
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

namespace {  // hidden, because in the stable ABI the types of the members of Checks are hidden

// Checks an operator's tensors: device, dtype, shape.
class Checks {
 public:
  Checks(const char* op, const char* first, const Tensor& tensor)
      : op_(op), first_(first), like_(tensor), device_(checked(op, first, tensor).device()) {}

  template <typename Dtype>
  void operator()(const char* name, const Tensor& tensor, const Dtype& dtype) const {
    check_defined(op_, name, tensor);
    if (tensor.device() != device_) {
      fail(
          {op_, ": ", name, " must be on ", to_string(device_), ", the device of ", first_,
           ", but is on ", to_string(tensor.device())});
    }
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
  // Returns a shape that consists of sizes and groups.
  static std::vector<int64_t> shape(Shape parts) {
    std::vector<int64_t> sizes;
    for (const Size& part : parts) {
      if (part.dims) {
        sizes.insert(sizes.end(), part.dims->begin(), part.dims->end());
      } else {
        sizes.push_back(part.value.value);
      }
    }
    return sizes;
  }

  // Allocates a result, whose elements are not set.
  Tensor result(const char* name, const std::vector<int64_t>& sizes, ScalarType dtype) const {
    Integer numel = 1;
    for (const int64_t size : sizes) {
      if (size < 0) fail({op_, ": ", name, " can't have the shape ", to_string(sizes)});
      numel = numel * size;
    }
    if (numel.wrong) {
      fail({op_, ": ", name, " can't have the shape ", to_string(sizes), ", which is too large"});
    }
    return new_tensor(like_, sizes, dtype);
  }

  // Allocates a result of zeros, for a kernel that adds to it.
  Tensor zeros(const char* name, const std::vector<int64_t>& sizes, ScalarType dtype) const {
    Tensor tensor = result(name, sizes, dtype);
    set_to_zero(tensor);
    return tensor;
  }

 private:
  static const Tensor& checked(const char* op, const char* name, const Tensor& tensor) {
    check_device(op, name, tensor);
    return tensor;
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
         to_string(leading_sizes(tensor, 0))});
  }

  const char* op_;
  const char* first_;
  const Tensor like_;
  const Device device_;
};

}  // namespace

// The size in bytes of an element with this dtype: dtype.itemsize in a signature.
template <typename... T>
int64_t itemsize_of(Dtypes<T...>, ScalarType dtype) {
  int64_t size = 0;
  ((size = dtype == dtype_of<T> ? sizeof(T) : size), ...);
  return size;
}

// ---- Several dtype variables: a kernel for each combination of their dtypes

template <
    typename Runner,
    typename SecondType,
    typename ThirdType = void,
    typename FourthType = void>
struct RunnerOf : Runner {
  using Second = SecondType;
  using Third = ThirdType;
  using Fourth = FourthType;
};

// Like for_dtype_of in tensors.h, for a dtype that may differ from the tensor's.
template <typename... T, typename Body>
void for_dtype_of(
    Dtypes<T...>,
    ScalarType dtype,
    const Tensor& tensor,
    int64_t numel,
    const Body& body) {
  ((dtype == dtype_of<T> ? on_device<T>(tensor, numel, body) : void()), ...);
}

// Like for_dtype_of, for two dtype variables: the runner has the types T and Second. `b`, and `c`
// and `d` below, are tensors or values of ScalarType.
template <typename... A, typename... B, typename OfB, typename Body>
void for_dtypes_of(
    Dtypes<A...> first,
    const Tensor& a,
    Dtypes<B...>,
    const OfB& b,
    int64_t numel,
    const Body& body) {
  for_dtype_of(first, a, numel, [&](auto runner) {
    using Runner = decltype(runner);
    ((has(b, dtype_of<B>) ? body(RunnerOf<Runner, B>{runner}) : void()), ...);
  });
}

// The same for three dtype variables: the runner also has the type Third.
template <typename... A, typename... B, typename OfB, typename... C, typename OfC, typename Body>
void for_dtypes_of(
    Dtypes<A...> first,
    const Tensor& a,
    Dtypes<B...> second,
    const OfB& b,
    Dtypes<C...>,
    const OfC& c,
    int64_t numel,
    const Body& body) {
  for_dtypes_of(first, a, second, b, numel, [&](auto runner) {
    using Runner = decltype(runner);
    using Second = typename Runner::Second;
    ((has(c, dtype_of<C>) ? body(RunnerOf<Runner, Second, C>{runner}) : void()), ...);
  });
}

// The same for four dtype variables: the runner also has the type Fourth.
template <
    typename First,
    typename Second,
    typename OfB,
    typename Third,
    typename OfC,
    typename... D,
    typename OfD,
    typename Body>
void for_dtypes_of(
    First first,
    const Tensor& a,
    Second second,
    const OfB& b,
    Third third,
    const OfC& c,
    Dtypes<D...>,
    const OfD& d,
    int64_t numel,
    const Body& body) {
  for_dtypes_of(first, a, second, b, third, c, numel, [&](auto runner) {
    using R = decltype(runner);
    ((has(d, dtype_of<D>)
          ? body(RunnerOf<R, typename R::Second, typename R::Third, D>{runner})
          : void()),
     ...);
  });
}

// ---- Lists of tensors. A kernel gets their pointers in arrays.

inline void check_not_empty(const char* op, const char* name, const std::vector<Tensor>& tensors) {
  if (tensors.empty()) fail({op, ": ", name, " must have at least one tensor"});
}

inline std::vector<Tensor> as_contiguous(std::vector<Tensor> tensors) {
  for (Tensor& tensor : tensors) tensor = as_contiguous(tensor);
  return tensors;
}

inline int64_t numel_of(const Tensor& tensor) {
  return tensor.numel();
}
inline int64_t numel_of(const std::optional<Tensor>& tensor) {
  return tensor ? tensor->numel() : 0;
}
// the number of elements of the largest tensor
inline int64_t numel_of(const std::vector<Tensor>& tensors) {
  int64_t most = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() > most) most = tensor.numel();
  }
  return most;
}

// Fills an array with a value for each tensor, such as its pointer.
template <typename T, size_t most>
void fill_array(
    const char* op,
    const char* name,
    T (&array)[most],
    const std::vector<Tensor>& tensors,
    T (*value_of)(const Tensor&)) {
  if (tensors.size() > most) {
    fail(
        {op, ": ", name, " must have at most ", std::to_string(most), " tensors, but has ",
         std::to_string(tensors.size())});
  }
  for (size_t i = 0; i < tensors.size(); ++i) array[i] = value_of(tensors[i]);
}

// Returns `other`, an argument that must not share memory with a written tensor. If `other` is the
// written tensor itself, returns nothing: the signature `Tensor(a) x, Tensor(a!) out` allows this.
inline std::optional<Tensor> unless_same(
    const Tensor& written,
    const std::optional<Tensor>& other) {
  if (!other) return std::nullopt;
  const auto equal = [](const auto& a, const auto& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  };
  const bool same_memory = written.const_data_ptr() == other->const_data_ptr();
  const bool same_dtype = written.scalar_type() == other->scalar_type();
  const bool same_sizes = equal(written.sizes(), other->sizes());
  const bool same_strides = equal(written.strides(), other->strides());
  return same_memory && same_dtype && same_sizes && same_strides ? std::nullopt : other;
}

// The start and the end of the memory of each tensor.
using Memory = std::vector<std::pair<const char*, const char*>>;

inline void add_memory(Memory& memory, const Tensor& tensor) {
  const auto* begin = static_cast<const char*>(tensor.const_data_ptr());
  memory.emplace_back(begin, begin + nbytes_of(tensor));
}
inline void add_memory(Memory& memory, const std::optional<Tensor>& tensor) {
  if (tensor) add_memory(memory, *tensor);
}
inline void add_memory(Memory& memory, const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) add_memory(memory, tensor);
}

// Checks a tensor that a kernel writes to, with any strides but 0, which an expanded tensor has. It
// must not start where another argument starts. If it is contiguous, it also must not overlap
// another argument. As in PyTorch, nothing computes whether a tensor with gaps shares elements with
// another argument: their elements may alternate.
template <typename... Others>
void check_strided_output(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const Others&... others) {
  Memory taken;
  (add_memory(taken, others), ...);
  Memory own;
  add_memory(own, tensor);
  for (const auto& [begin, end] : taken) {
    const bool inside = tensor.is_contiguous() && begin < own[0].second && own[0].first < end;
    if (inside || (begin == own[0].first && begin < end && tensor.numel() > 0)) {
      fail({op, ": ", name, " is written to and must not share memory with another argument"});
    }
  }
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    if (tensor.stride(i) == 0 && tensor.size(i) > 1 && tensor.numel() > 0) {
      fail(
          {op, ": ", name, " is written to and must not have two elements in the same memory, but ",
           "has strides ", to_string(tensor.strides())});
    }
  }
}

// Checks a list of tensors that a kernel writes to: they must be contiguous, and must not share
// memory with each other or with another argument.
template <typename... Others>
void check_output(
    const char* op,
    const char* name,
    const std::vector<Tensor>& tensors,
    const Others&... others) {
  Memory taken;
  (add_memory(taken, others), ...);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string one = std::string(name) + "[" + std::to_string(i) + "]";
    check_output(op, one.c_str(), tensors[i]);
    Memory own;
    add_memory(own, tensors[i]);
    for (const auto& [begin, end] : taken) {
      if (begin < own[0].second && own[0].first < end) {
        fail({op, ": ", one, " is written to and must not share memory with another argument"});
      }
    }
    taken.push_back(own[0]);
  }
}

// ---- Results whose number of rows only the kernel knows

// Returns the number of rows that the kernel counted. Reading the number waits for the GPU, as
// torch.nonzero does, so no CUDA graph can record the call.
inline int64_t counted(const char* op, const char* size, const Tensor& count, int64_t most) {
  const int64_t found = item_of(count);
  if (found < 0 || found > most) {
    fail(
        {op, ": the kernel counted ", size, " = ", std::to_string(found),
         ", which must be from 0 to ", std::to_string(most)});
  }
  return found;
}

}  // namespace KIT_NAMESPACE
