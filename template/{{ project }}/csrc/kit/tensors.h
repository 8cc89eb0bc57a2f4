// Memory layouts, allocation of tensors, and the choice of a device.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

#include "checks.h"
#include "compute.h"

namespace KIT_NAMESPACE {

// ---- Memory layouts, the same as in the fake kernel in ops/*.py. Some kernels need contiguous
// tensors. Other kernels accept dense tensors: their elements fill memory without gaps or overlaps,
// and their dimensions are in any order. These kernels go through memory from start to end, so
// channels_last and transposed tensors keep their layout.

inline Tensor empty_contiguous(const Tensor& like, ScalarType dtype) {
  return new_tensor(like, like.sizes(), dtype);
}

inline Tensor in_layout_of(const Tensor& like, const Tensor& tensor) {
  const bool contiguous = tensor.is_contiguous() && like.is_contiguous();
  if (contiguous || tensor.strides().equals(like.strides())) return tensor;
  return copy_in_layout_of(like, tensor);
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

template <typename T>
const T* const_data(const std::optional<Tensor>& tensor) {
  return tensor ? const_data<T>(*tensor) : nullptr;
}

template <typename T>
T* mutable_data(const std::optional<Tensor>& tensor) {
  return tensor ? mutable_data<T>(*tensor) : nullptr;
}

// The memory from the first element of a tensor to the last. A tensor with gaps does not have all of
// it.
struct MemoryRange {
  const char* begin;
  const char* end;
  bool gaps;
};

inline MemoryRange memory_of(const Tensor& tensor) {
  const auto* begin = static_cast<const char*>(tensor.const_data_ptr());
  if (tensor.numel() == 0) return {begin, begin, false};
  int64_t reached = 1;
  int64_t own = 1;  // elements; an expanded dimension has none of its own
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    reached += (tensor.size(i) - 1) * tensor.stride(i);
    if (tensor.stride(i) != 0) own *= tensor.size(i);
  }
  return {begin, begin + reached * tensor.element_size(), reached > own};
}

// Whether two tensors share memory. Of a tensor with gaps, only the first and the last element are
// compared: between them, the elements of the two may alternate, as in two columns of a matrix.
// PyTorch does not check this either.
inline bool share_memory(const MemoryRange& a, const MemoryRange& b) {
  if (a.begin == a.end || b.begin == b.end) return false;
  if (a.gaps && b.gaps) return a.begin == b.begin || a.end == b.end;
  if (a.gaps) return share_memory(b, a);
  if (!b.gaps) return a.begin < b.end && b.begin < a.end;
  const bool first = a.begin <= b.begin && b.begin < a.end;
  const bool last = a.begin < b.end && b.end <= a.end;
  return first || last;
}
inline bool share_memory(const Tensor& a, const Tensor& b) {
  return share_memory(memory_of(a), memory_of(b));
}
inline bool share_memory(const Tensor& a, const std::optional<Tensor>& b) {
  return b && share_memory(a, *b);
}

inline bool share_memory(const Tensor& a, const std::vector<Tensor>& tensors) {
  for (const Tensor& b : tensors) {
    if (share_memory(a, b)) return true;
  }
  return false;
}

template <typename... Others>
void check_memory(const char* op, const char* name, const Tensor& tensor, const Others&... others) {
  if ((share_memory(tensor, others) || ...)) {
    fail({op, ": ", name, " is written to and must not share memory with another argument"});
  }
}

// Checks a tensor that a kernel writes to: it must be contiguous, and must not share memory with
// another argument.
template <typename... Others>
void check_output(const char* op, const char* name, const Tensor& tensor, const Others&... others) {
  if (!tensor.is_contiguous()) {
    fail(
        {op, ": ", name, " is written to and must be contiguous, but has strides ",
         to_string(tensor.strides())});
  }
  check_memory(op, name, tensor, others...);
}

// ---- Running a kernel, whose arguments are a struct of <op>_args.h

// Splits elements among threads. The least number of elements for a thread is the same as in
// PyTorch's operators.
template <typename Body>
void parallel_for(int64_t numel, const Body& body) {
  parallel_for_range(0, numel, 32768, body);
}

// Splits `count` pieces of `size` elements each among threads. A thread gets the pieces whose first
// element is in its range.
template <typename Body>
void parallel_for(int64_t count, int64_t size, const Body& body) {
  parallel_for(count * size, [&](int64_t begin, int64_t end) {
    body((begin + size - 1) / size, (end + size - 1) / size);
  });
}

// Splits the thread indices of a custom operator among cores: its math is written for one thread of
// a GPU, and on the CPU, a loop calls the math for each index. The measured time of the first
// indices determines how much work a core gets: at least 10 microseconds, because waking a core
// takes as long.
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
  const int64_t grain = 1 + static_cast<int64_t>(10 * static_cast<double>(done) / elapsed);
  parallel_for_range(done, count, grain, body);
}

template <typename Args, typename = void>
struct HasCpuKernel : std::false_type {};
template <typename Args>
struct HasCpuKernel<Args, std::void_t<decltype(&Args::run_on_cpu)>> : std::true_type {};

// Whether a piece of work is one thread index of a custom operator. How long such a piece takes is
// unknown.
template <typename Args, typename = void>
struct HasThreads : std::false_type {};
template <typename Args>
struct HasThreads<Args, std::void_t<decltype(&Args::num_threads)>> : std::true_type {};

// Runs a kernel on the CPU for elements of type T, in `count` pieces of work with `size` elements
// each.
template <typename Element>
struct Cpu {
  static constexpr bool kOnCpu = true;
  using T = Element;

  // Sets the sizes of scratch memory. The caller allocates it afterwards.
  template <typename Args>
  void set_sizes(Args& args) const {
    if constexpr (HasCpuKernel<Args>::value) args.sizes_on_cpu();
  }

  template <typename Args>
  void run(const Args& args, int64_t count, int64_t size = 1) const {
    if constexpr (!HasCpuKernel<Args>::value) {
      throw std::runtime_error("no CPU kernel: write HAS_CPU_KERNEL = False in ops/<op>.py");
    } else {
      const auto loop = [&](int64_t begin, int64_t end) {
        args.run_on_cpu(begin, end);
      };
      if constexpr (HasThreads<Args>::value) {
        parallel_for_threads(count, loop);
      } else {
        parallel_for(count, size, loop);
      }
    }
  }
};

#ifdef USE_CUDA
template <typename Element>
struct Gpu {
  static constexpr bool kOnCpu = false;
  using T = Element;

  template <typename Args>
  void set_sizes(Args& args) const {
    KIT_CHECK_CUDA(args.sizes_on_gpu(stream));
  }

  template <typename Args>
  void run(const Args& args, int64_t, int64_t = 1) const {
    KIT_CHECK_CUDA(args.run_on_gpu(stream));
  }

  cudaStream_t stream;
};
#endif

// Calls body with a runner, a Cpu or Gpu for the tensor's device, unless there are no elements: a
// grid without blocks is an error in CUDA.
template <typename OnCpu = void, typename OnGpu = OnCpu, typename Body>
void on_device(const Tensor& tensor, int64_t numel, const Body& body) {
  if (numel == 0) return;
  if (tensor.is_cpu()) return body(Cpu<OnCpu>());
#ifdef USE_CUDA
  const auto guard = device_guard(tensor);
  body(Gpu<OnGpu>{current_stream(tensor)});
#endif
}

// Like on_device, with the C++ type of the tensor's dtype as the runner's T. CUDA's 16-bit types
// have the same layout as PyTorch's.
template <typename Body>
void for_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  switch (const ScalarType dtype = tensor.scalar_type()) {
    case ScalarType::Float:
      return on_device<float, float>(tensor, numel, body);
    case ScalarType::Double:
      return on_device<double, double>(tensor, numel, body);
    case ScalarType::Half:
      return on_device<torch::headeronly::Half, __half>(tensor, numel, body);
    case ScalarType::BFloat16:
      return on_device<torch::headeronly::BFloat16, __nv_bfloat16>(tensor, numel, body);
    default:
      fail({"for_dtype has no kernel for ", to_string(dtype)});
  }
}

template <typename Runner, typename OutElement>
struct OutRunner : Runner {
  using Out = OutElement;
};

// Like for_dtype, for results with another dtype: the runner also has the type Out.
template <typename Body>
void for_dtypes(const Tensor& tensor, const Tensor& out, int64_t numel, const Body& body) {
  for_dtype(tensor, numel, [&](auto runner) {
    for_dtype(out, numel, [&body, runner](auto of_out) {
      using Runner = decltype(runner);
      using OfOut = decltype(of_out);
      if constexpr (Runner::kOnCpu == OfOut::kOnCpu) {
        body(OutRunner<Runner, typename OfOut::T>{runner});
      }
    });
  });
}

// ---- Dtypes that an operator chooses, as C++ types

template <typename T, typename Body>
void if_dtype(const Tensor& tensor, int64_t numel, const Body& body) {
  if (tensor.scalar_type() == dtype_of<T>) on_device<T>(tensor, numel, body);
}

// Like on_device: the runner's T is the type in the list that matches the tensor's dtype.
template <typename... T, typename Body>
void for_dtype_of(Dtypes<T...>, const Tensor& tensor, int64_t numel, const Body& body) {
  (if_dtype<T>(tensor, numel, body), ...);
}

}  // namespace KIT_NAMESPACE
