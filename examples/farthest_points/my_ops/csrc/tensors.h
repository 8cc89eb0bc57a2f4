// What the operators need of tensors, in terms of ATen. Only light headers: ATen/ATen.h or
// torch/extension.h would add 15 to 25 seconds to the build of every file that includes this one.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>

#ifdef USE_CUDA
#include <c10/core/DeviceGuard.h>  // not CUDAGuard.h, which takes a second to compile
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "compute.h"

namespace my_ops {

using at::Tensor;

// ---- Checks. Every message names the operator, the argument and the offending value.

inline void check_device(const char* op, const char* name, const Tensor& tensor) {
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

// Splits the elements among PyTorch's own threads. at::parallel_for would be compiled into this
// library instead: serial without -fopenmp, and with it next to PyTorch's threads, not on them. A
// thread gets at least as many elements as PyTorch's elementwise operators give it.
template <typename Body>
void parallel_for(int64_t numel, const Body& body) {
  constexpr int64_t kGrainSize = 32768;
  const auto call = [](int64_t begin, int64_t end, void* context) {
    (*static_cast<const Body*>(context))(begin, end);
  };
  TORCH_ERROR_CODE_CHECK(torch_parallel_for(0, numel, kGrainSize, call, const_cast<Body*>(&body)));
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

// Where a kernel runs, for elements T: over `count` pieces of work, each of so many elements.
template <typename Element>
struct Cpu {
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t count, int64_t size = 1) const {
    if constexpr (HasCpuKernel<Args>::value) {
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

// A size as the signature has it, and its value, unless it may be anything.
struct Size {
  Size(const char* text, int64_t value = -1) : text(text), value(value) {}
  Size(int64_t value) : value(value) {}

  const char* text = nullptr;
  int64_t value;
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
      : op_(op), first_(first), like_(tensor), device_(tensor.device()) {
    check_device(op, first, tensor);
  }

  template <typename Dtype>
  void operator()(const char* name, const Tensor& tensor, const Dtype& dtype) const {
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

  // A result, whose elements are not set.
  Tensor result(const char* name, const std::vector<int64_t>& sizes, ScalarType dtype) const {
    for (const int64_t size : sizes) {
      if (size < 0) fail({op_, ": ", name, " can't have the shape ", to_string(sizes)});
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
      if (size->value >= 0 && tensor.size(i) != size->value) return false;
    }
    return true;
  }

  // x must have the shape [N, D] with N = 5, but has [4, 3]
  [[noreturn]] void fail_of_shape(
      const char* name,
      const Tensor& tensor,
      Shape shape,
      const std::vector<int64_t>* leading) const {
    std::string text, values;
    for (const Size& size : shape) {
      text += (text.empty() ? "" : ", ") + (size.text ? size.text : std::to_string(size.value));
      if (!size.text || (size.value < 0 && !(leading && is_leading(size)))) continue;
      values += std::string(values.empty() ? " with " : ", ") + size.text + " = ";
      values += is_leading(size) ? to_string(*leading) : std::to_string(size.value);
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
