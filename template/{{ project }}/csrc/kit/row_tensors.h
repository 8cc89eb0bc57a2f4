// Rows, for C++ code that handles tensors. A row is along the last dimension of a tensor.
#pragma once

#include "tensors.h"

namespace KIT_NAMESPACE {

// Memory for sums over rows, in the type to compute in.
inline Tensor empty_parts(const Tensor& columns, int64_t parts) {
  const bool wide = columns.scalar_type() == ScalarType::Double;
  const int64_t sizes[] = {parts, columns.numel()};
  return new_tensor(columns, Sizes(sizes, 2), wide ? ScalarType::Double : ScalarType::Float);
}

// The number of parts in which rows are added up, at least one. Each part has its own sums. The
// number determines the order of additions, so it must not depend on the number of threads. On the
// CPU, it is at most 64, enough for many cores. On a GPU, it is at most 4 for each multiprocessor,
// and less for long rows, because the sums of a part are as long as a row.
inline int64_t row_parts([[maybe_unused]] const Tensor& rows, int64_t count) {
  int64_t most = 64;
#ifdef USE_CUDA
  if (!rows.is_cpu()) {
    int processors = 0;
    KIT_CHECK_CUDA(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, rows.get_device()));
    const int64_t bytes = rows.size(-1) * rows.element_size();
    most = processors * (bytes <= 8192 ? 4 : (bytes <= 16384 ? 2 : 1));
  }
#endif
  return count == 0 ? 1 : (count < most ? count : most);
}

template <typename Value>
Value* sums_of_part(Value* of_parts, int64_t part, int64_t size) {
  return of_parts ? of_parts + part * size : nullptr;
}

// Runs a kernel that adds up rows: on the CPU once for each part, on a GPU once with a block for
// each part.
template <typename Runner, typename MakeArgs>
void run_parts(
    const Runner& runner,
    int64_t parts,
    int64_t count,
    int64_t size,
    const MakeArgs& make_args) {
  if constexpr (Runner::kOnCpu) {
    parallel_for(parts, (count / parts + 1) * size, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        make_args(part).run_on_cpu(part * count / parts, (part + 1) * count / parts);
      }
    });
  } else {
    runner.run(make_args(0), parts);
  }
}

// Adds up the sums of all parts for each column, into the sums of the first part, and writes them
// to `to`, rounded. Does nothing on a GPU, where run_on_gpu does this.
template <typename Runner>
void sum_parts(const Runner&, const Tensor& of_parts, const Tensor& to) {
  if constexpr (Runner::kOnCpu) {
    if (!to.defined()) return;
    using T = typename Runner::T;
    auto* const sums = mutable_data<opmath_t<T>>(of_parts);
    T* const rounded = mutable_data<T>(to);
    const int64_t parts = of_parts.size(0), size = of_parts.size(1);
    parallel_for(size, [&](int64_t begin, int64_t end) {
      for (int64_t part = 1; part < parts; ++part) {
        for (int64_t i = begin; i < end; ++i) sums[i] += sums[part * size + i];
      }
      for (int64_t i = begin; i < end; ++i) rounded[i] = static_cast<T>(sums[i]);
    });
  }
}

}  // namespace KIT_NAMESPACE
