// Matrix products that an operator computes between its kernels, for C++ code that handles tensors.
// PyTorch multiplies: with cuBLAS on the stream of the kernels, or with the BLAS on a CPU.
#pragma once

#include "tensors.h"
#ifdef KIT_STABLE_ABI
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.h>
#ifdef USE_CUDA
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cuda.h>
#endif
#endif

namespace KIT_NAMESPACE {

// ---- Functions that are written differently for ATen and for LibTorch's stable ABI. Autograd and
// autocast must not handle a product: they have already handled the operator.

#ifdef KIT_STABLE_ABI
// Not torch::stable::matmul, which autograd and autocast would handle.
#ifdef USE_CUDA
#define KIT_CALL_SHIM(name, tensor, ...) \
  TORCH_ERROR_CODE_CHECK( \
      (tensor).is_cpu() ? aoti_torch_cpu_##name(__VA_ARGS__) \
                        : aoti_torch_cuda_##name(__VA_ARGS__))
#else
#define KIT_CALL_SHIM(name, tensor, ...) TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_##name(__VA_ARGS__))
#endif

inline void matrices_into(const Tensor& product, const Tensor& a, const Tensor& b) {
  KIT_CALL_SHIM(mm_out, a, product.get(), a.get(), b.get());
}

inline void batches_into(const Tensor& product, const Tensor& a, const Tensor& b) {
  KIT_CALL_SHIM(bmm_out, a, product.get(), a.get(), b.get());
}

inline void add_matrices(const Tensor& sum, const Tensor& a, const Tensor& b) {
  KIT_CALL_SHIM(addmm_out, a, sum.get(), sum.get(), a.get(), b.get(), 1, 1);
}

inline void add_batches(const Tensor& sum, const Tensor& a, const Tensor& b) {
  KIT_CALL_SHIM(baddbmm_out, a, sum.get(), sum.get(), a.get(), b.get(), 1, 1);
}
#undef KIT_CALL_SHIM

// A view of a tensor, with strides in elements.
inline Tensor view_of(const Tensor& tensor, Sizes sizes, Sizes strides) {
  AtenTensorHandle view;  // 0 is added to the tensor's own offset in its storage
  TORCH_ERROR_CODE_CHECK(aoti_torch__reinterpret_tensor(
      tensor.get(), sizes.size(), sizes.data(), strides.data(), 0, &view));
  return Tensor(view);
}
#else
class BelowAutogradAndAutocast : c10::impl::ExcludeDispatchKeyGuard {
 public:
  BelowAutogradAndAutocast()
      : ExcludeDispatchKeyGuard(
            c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset) {}
};

inline void matrices_into(Tensor product, const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  at::_ops::mm_out::call(a, b, product);
}

inline void batches_into(Tensor product, const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  at::_ops::bmm_out::call(a, b, product);
}

inline void add_matrices(Tensor sum, const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  at::_ops::addmm_out::call(sum, a, b, 1, 1, sum);
}

inline void add_batches(Tensor sum, const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  at::_ops::baddbmm_out::call(sum, a, b, 1, 1, sum);
}

// A view of a tensor, with strides in elements.
inline Tensor view_of(const Tensor& tensor, Sizes sizes, Sizes strides) {
  const BelowAutogradAndAutocast guard;
  return tensor.as_strided(sizes, strides);
}
#endif

// ---- Functions for ATen and the stable ABI

// A view of a contiguous tensor, in which one last dimension replaces dimension `first` and all
// later ones.
inline Tensor flattened(const Tensor& tensor, int64_t first) {
  if (!tensor.is_contiguous()) fail({"flattened: the tensor must be contiguous"});
  std::vector<int64_t> sizes, strides;
  int64_t count = 1;
  for (int64_t i = first; i < tensor.dim(); ++i) count *= tensor.size(i);
  for (int64_t i = 0; i < first; ++i) {
    sizes.push_back(tensor.size(i));
    strides.push_back(tensor.stride(i));
  }
  sizes.push_back(count);
  strides.push_back(1);
  return view_of(tensor, sizes, strides);
}

// A matrix as a batch of `count` matrices in the same memory.
inline Tensor repeated(const Tensor& matrix, int64_t count) {
  const std::vector<int64_t> sizes = {count, matrix.size(0), matrix.size(1)};
  const std::vector<int64_t> strides = {0, matrix.stride(0), matrix.stride(1)};
  return view_of(matrix, sizes, strides);
}

// Checks the shapes and dtypes. Then calls of_matrices, or of_batches if `product` is a batch, with
// `product`, `a` and `b`.
template <typename OfMatrices, typename OfBatches>
void multiply(
    const Tensor& product,
    Tensor a,
    Tensor b,
    const OfMatrices& of_matrices,
    const OfBatches& of_batches) {
  const int64_t dims = a.dim() == 3 || b.dim() == 3 ? 3 : 2;
  const int64_t batch = a.dim() == 3 ? a.size(0) : (b.dim() == 3 ? b.size(0) : 0);
  bool fits = a.dim() >= 2 && b.dim() >= 2 && product.dim() == dims;
  for (const Tensor& x : {a, b, product}) {
    fits = fits && (x.dim() == 2 || (x.dim() == 3 && x.size(0) == batch));
  }
  if (!fits || product.size(-2) != a.size(-2) || product.size(-1) != b.size(-1) ||
      a.size(-1) != b.size(-2)) {
    fail(
        {"the product of ", to_string(a.sizes()), " and ", to_string(b.sizes()),
         " cannot have the shape ", to_string(product.sizes())});
  }
  for (const Tensor& x : {b, product}) {
    if (x.scalar_type() != a.scalar_type()) {
      fail(
          {"a product and its factors must have one dtype, got ", to_string(a.scalar_type()),
           " and ", to_string(x.scalar_type())});
    }
  }
  if (product.dim() == 2) return of_matrices(product, a, b);
  if (a.dim() == 2) a = repeated(a, batch);
  if (b.dim() == 2) b = repeated(b, batch);
  of_batches(product, a, b);
}

// Writes a @ b to a tensor that exists, such as a result or scratch memory. All three tensors are
// matrices, or `product` and one or both factors are batches of matrices.
inline void product_into(const Tensor& product, const Tensor& a, const Tensor& b) {
  multiply(product, a, b, matrices_into, batches_into);
}

// Adds a @ b to a tensor.
inline void add_product(const Tensor& sum, const Tensor& a, const Tensor& b) {
  multiply(sum, a, b, add_matrices, add_batches);
}

}  // namespace KIT_NAMESPACE
