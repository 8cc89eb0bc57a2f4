// Custom operators, for C++ code that handles tensors: dtype variables, lists of tensors, and results
// whose size only the kernel knows.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
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

// a // b of signatures and of Python: rounded down, not towards zero.
inline Integer operator/(Integer a, Integer b) {
  if (b.value == 0) {
    b.value = 1;
    b.wrong = "divided by 0";
  }
  if (b.value == -1) return 0 - a;  // the one quotient that can be too large
  const bool is_above = a.value % b.value != 0 && (a.value < 0) != (b.value < 0);
  return Integer(a, b, false, a.value / b.value - is_above);
}
// The same, for sizes as `<op>.cpp` of 0.7.0 computes them.
inline Integer floor_div(Integer a, Integer b) {
  return a / b;
}

// Returns N for a dimension of size `a` that is N * b in the signature. Ignores a remainder: the
// check of the shape refuses it.
inline Integer quotient(Integer a, Integer b) {
  return b.value == 0 ? b : a / b;
}

// The dimensions that the signature writes as `...`: all except the last `others`.
inline std::vector<int64_t> leading_sizes(const Tensor& tensor, int64_t others) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < tensor.dim() - others; ++i) sizes.push_back(tensor.size(i));
  return sizes;
}
// Returns a shape with leading sizes, for results as `<op>.cpp` of 0.7.0 allocates them.
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

// Checks a tensor that a kernel writes to, with any strides but 0, which an expanded tensor has. It
// must not share memory with another argument, see share_memory.
template <typename... Others>
void check_strided_output(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const Others&... others) {
  check_memory(op, name, tensor, others...);
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    if (tensor.stride(i) == 0 && tensor.size(i) > 1 && tensor.numel() > 0) {
      fail(
          {op, ": ", name, " is written to and must not have two elements in the same memory, but ",
           "has strides ", to_string(tensor.strides())});
    }
  }
}

inline void add_memory(std::vector<MemoryRange>& memory, const std::optional<Tensor>& tensor) {
  if (tensor) memory.push_back(memory_of(*tensor));
}
inline void add_memory(std::vector<MemoryRange>& memory, const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) memory.push_back(memory_of(tensor));
}

// Checks a list of tensors that a kernel writes to: they must be contiguous, and must not share
// memory with each other or with another argument.
template <typename... Others>
void check_output(
    const char* op,
    const char* name,
    const std::vector<Tensor>& tensors,
    const Others&... others) {
  std::vector<MemoryRange> taken;
  (add_memory(taken, others), ...);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string one = std::string(name) + "[" + std::to_string(i) + "]";
    check_output(op, one.c_str(), tensors[i]);
    const MemoryRange own = memory_of(tensors[i]);
    for (const MemoryRange& other : taken) {
      if (share_memory(own, other)) {
        fail({op, ": ", one, " is written to and must not share memory with another argument"});
      }
    }
    taken.push_back(own);
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
