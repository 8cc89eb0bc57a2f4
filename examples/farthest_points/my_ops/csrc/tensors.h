// What the operators need of tensors, in terms of ATen. Only light headers: ATen/ATen.h or
// torch/extension.h would add 15 to 25 seconds to the build of every file that includes this one.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>

#include <chrono>

#ifdef USE_CUDA
#include <c10/core/DeviceGuard.h>  // not CUDAGuard.h, which takes a second to compile
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "kit/compute.h"

namespace my_ops {

using at::Tensor;

// ---- Checks. Every message names the operator, the argument and the offending value.

// PyTorch passes None as an undefined tensor, which has no device, dtype or shape.
inline void check_defined(const char* op, const char* name, const Tensor& tensor) {
  TORCH_CHECK(tensor.defined(), op, ": ", name, " must be a tensor, but is None");
}

inline void check_device(const char* op, const char* name, const Tensor& tensor) {
  check_defined(op, name, tensor);
#ifndef USE_CUDA
  TORCH_CHECK(
      tensor.is_cpu(), op, ": ", name, " is on a GPU, but this library was built without CUDA; ",
      "build it again with nvcc, and without CPU_ONLY");
#endif
}

// ---- Memory. An absent tensor, and a gradient that is not needed, is a null pointer for a kernel.

template <typename T>
const T* const_data(const Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}

template <typename T>
T* mutable_data(const Tensor& tensor) {
  return tensor.defined() ? static_cast<T*>(tensor.mutable_data_ptr()) : nullptr;
}

// Splits a range among PyTorch's own threads. at::parallel_for would be compiled into this library
// instead: serial without -fopenmp, and with it next to PyTorch's threads, not on them.
template <typename Body>
void parallel_for_range(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  const auto call = [](int64_t begin, int64_t end, void* context) {
    (*static_cast<const Body*>(context))(begin, end);
  };
  TORCH_ERROR_CODE_CHECK(torch_parallel_for(begin, end, grain, call, const_cast<Body*>(&body)));
}

// Splits elements: a thread gets at least as many as PyTorch's elementwise operators give it.
template <typename Body>
void parallel_for(int64_t numel, const Body& body) {
  parallel_for_range(0, numel, 32768, body);
}

// The same for pieces of so many elements each: a thread gets those that begin among its elements.
template <typename Body>
void parallel_for(int64_t count, int64_t size, const Body& body) {
  parallel_for(count * size, [&](int64_t begin, int64_t end) {
    body((begin + size - 1) / size, (end + size - 1) / size);
  });
}

// ---- Kernels, which get a struct of <op>_args.h

template <typename Args, typename = void>
struct HasCpuKernel : std::false_type {};
template <typename Args>
struct HasCpuKernel<Args, std::void_t<decltype(&Args::run_on_cpu)>> : std::true_type {};

// Whether a piece of work is a thread of its author's, which may cost anything.
template <typename Args, typename = void>
struct HasThreads : std::false_type {};
template <typename Args>
struct HasThreads<Args, std::void_t<decltype(&Args::num_threads)>> : std::true_type {};

// Splits threads by what the first of them cost: a core gets at least 10 microseconds of work,
// which is what it takes to wake it.
template <typename Body>
void parallel_for_threads(int64_t count, const Body& body) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  const auto start = std::chrono::steady_clock::now();
  double elapsed = 0;
  int64_t done = 0;
  for (int64_t step = 1; elapsed < 2; step *= 4) {
    const int64_t end = count - done > step ? done + step : count;
    body(done, end);
    if (end == count) return;
    done = end;
    elapsed = Microseconds(std::chrono::steady_clock::now() - start).count();
  }
  const int64_t grain = 1 + static_cast<int64_t>(10 * done / elapsed);
  parallel_for_range(done, count, grain, body);
}

// Where a kernel runs, for elements T: over `count` pieces of work, each of so many elements.
template <typename Element>
struct Cpu {
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t count, int64_t size = 1) const {
    if constexpr (HasThreads<Args>::value && HasCpuKernel<Args>::value) {
      parallel_for_threads(count, [&](int64_t begin, int64_t end) {
        args.run_on_cpu(begin, end);
      });
    } else if constexpr (HasCpuKernel<Args>::value) {
      parallel_for(count, size, [&](int64_t begin, int64_t end) {
        args.run_on_cpu(begin, end);
      });
    } else {
      throw std::runtime_error("no CPU kernel: write HAS_CPU_KERNEL = False in ops/<op>.py");
    }
  }
};

#ifdef USE_CUDA
template <typename Element>
struct Gpu {
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t, int64_t = 1) const {
    C10_CUDA_CHECK(args.run_on_gpu(stream));
  }

  cudaStream_t stream;
};
#endif

// Calls body with the Cpu or the Gpu that the tensor is on, unless there is no element: a grid of
// no blocks is an error in CUDA.
template <typename OnCpu = void, typename OnGpu = OnCpu, typename Body>
void on_device(const Tensor& tensor, int64_t numel, const Body& body) {
  if (numel == 0) return;
  if (tensor.is_cpu()) return body(Cpu<OnCpu>());
#ifdef USE_CUDA
  const c10::DeviceGuard guard(tensor.device());
  body(Gpu<OnGpu>{c10::cuda::getCurrentCUDAStream(tensor.get_device())});
#endif
}

// ---- Kernels that read and write contiguous tensors. The fake in ops/*.py promises the same.

inline Tensor as_contiguous(const Tensor& tensor) {
  return tensor.contiguous();
}

// ---- Dtypes that are an operator's own choice, by the C++ types that stand for them

template <typename... T>
struct Dtypes {};

template <typename T, typename Body>
void if_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  if (tensor.scalar_type() == c10::CppTypeToScalarType<T>::value) on_device<T>(tensor, numel, body);
}

// Calls body on the tensor's device, for the one of these types that it has.
template <typename... T, typename Body>
void for_dtype_of(Dtypes<T...>, const Tensor& tensor, int64_t numel, const Body& body) {
  (if_dtype<T>(tensor, numel, body), ...);
}

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

// Dtypes<float, double> of a macro that has them as DO(float) DO(double).
template <typename, typename... T>
using DtypesAfter = Dtypes<T...>;
#define COMMA_AND(T) , T

// What sizes are computed with. If one step is wrong, all that follow are.
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

// a // b as in the signature and in Python: rounded down, not towards zero.
inline Integer floor_div(Integer a, Integer b) {
  if (b.value == 0) {
    b.value = 1;
    b.wrong = "divided by 0";
  }
  if (b.value == -1) return 0 - a;  // the one quotient that can be too large
  const bool is_above = a.value % b.value != 0 && (a.value < 0) != (b.value < 0);
  return Integer(a, b, false, a.value / b.value - is_above);
}

// The size N where a dimension of a elements is N * b. That b divides a is checked afterwards.
inline Integer quotient(Integer a, Integer b) {
  return b.value == 0 ? b : floor_div(a, b);
}

// A size as the signature has it, and its value, unless it may be anything.
struct Size {
  Size(const char* text) : text(text), known(false) {}
  Size(const char* text, Integer value) : text(text), value(value) {}
  Size(int64_t value) : value(value) {}

  const char* text = nullptr;
  Integer value = 0;
  bool known = true;
};
using Shape = std::initializer_list<Size>;

// All but the last dimensions, which are `...` in the signature.
inline std::vector<int64_t> leading_sizes(const Tensor& tensor, int64_t others) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < tensor.dim() - others; ++i) sizes.push_back(tensor.size(i));
  return sizes;
}

inline std::string to_string(ScalarType dtype) {
  return toString(dtype);
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
template <typename... T>
bool has(const Tensor& tensor, Dtypes<T...>) {
  return (has(tensor, dtype_of<T>) || ...);
}

namespace {  // hidden, as the types of its fields are in the stable ABI

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
          {op_, ": ", name, " must be on ", to_string(device_), " as ", first_, " is, but is on ",
           to_string(tensor.device())});
    }
    if (!has(tensor, dtype)) {
      fail(
          {op_, ": ", name, " must have dtype ", to_string(dtype), ", but has ",
           to_string(tensor.scalar_type())});
    }
  }

  // `leading` is what `...` is, unless it may be anything.
  void operator()(
      const char* name,
      const Tensor& tensor,
      Shape shape,
      const std::vector<int64_t>* leading = nullptr) const {
    for (const Size& size : shape) {
      if (size.value.wrong) fail_of_size(size.text, size.value);
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

  // A size that is computed: an integer that is 0 or more.
  int64_t size(const char* text, Integer value) const {
    if (value.wrong || value.value < 0) fail_of_size(text, value);
    return value.value;
  }

  // A result, whose elements are not set.
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

  // The same for a kernel that adds to its result.
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

  static bool is_leading(const Size& size) {
    return size.text && std::string_view(size.text) == "...";
  }

  static bool fits(const Tensor& tensor, Shape shape, const std::vector<int64_t>* leading) {
    const bool open = shape.size() > 0 && is_leading(*shape.begin());
    const int64_t named = static_cast<int64_t>(shape.size()) - open;
    const int64_t before = tensor.dim() - named;
    if (open ? before < 0 : before != 0) return false;
    if (open && leading && leading_sizes(tensor, named) != *leading) return false;
    const Size* size = shape.begin() + open;
    for (int64_t i = before; i < tensor.dim(); ++i, ++size) {
      if (size->known && tensor.size(i) != size->value.value) return false;
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
      values += is_leading(size) ? to_string(*leading) : value;
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

}  // namespace my_ops
