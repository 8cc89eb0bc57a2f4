// Matrix products, for C++ code that handles tensors. The operator's kernel multiplies only in its
// forward pass on a GPU. PyTorch multiplies on the CPU, and in gradients on any device.
#pragma once

#include "product.h"
#include "row_tensors.h"

namespace KIT_NAMESPACE {

inline Tensor empty_product(const Tensor& a, const Tensor& b) {
  const int64_t sizes[] = {a.size(0), b.size(1)};
  return new_tensor(a, Sizes(sizes, 2), a.scalar_type());
}

// A factor as PyTorch multiplies it: on the CPU, 16-bit types become float, so that the product is
// not rounded to 16 bits.
inline Tensor as_factor(const Tensor& tensor) {
  const bool wide = !tensor.is_cpu() || tensor.scalar_type() == ScalarType::Double;
  return wide ? tensor : to_dtype(tensor, ScalarType::Float);
}

inline Tensor in_dtype_of(const Tensor& like, const Tensor& tensor) {
  return to_dtype(tensor, like.scalar_type());
}

inline Tensor product_of(const Tensor& a, const Tensor& b) {
  const Tensor product = empty_product(a, b);
  matrices_into(product, a, b);
  return product;
}

#ifdef KIT_STABLE_ABI
// A product that is as exact as in the operator, unless PyTorch uses TF32: 16-bit types become
// float. On a GPU, this takes several times as long as a 16-bit product with a result in float, for
// which the stable ABI of PyTorch 2.10 has no function.
inline Tensor exact_product_of(const Tensor& a, const Tensor& b) {
  const ScalarType dtype = a.scalar_type();
  if (dtype == ScalarType::Float || dtype == ScalarType::Double) return product_of(a, b);
  return product_of(
      torch::stable::to(a, ScalarType::Float), torch::stable::to(b, ScalarType::Float));
}
#else
// A product that is as exact as in the operator, unless PyTorch uses TF32: the result of 16-bit
// types is float.
inline Tensor exact_product_of(const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  const bool wide = a.scalar_type() == at::kFloat || a.scalar_type() == at::kDouble;
  return wide ? a.mm(b) : at::_ops::mm_dtype::call(a, b, at::kFloat);
}
#endif

// The number of parts of a product's depth. The parts are multiplied separately, and then added up
// in a fixed order. On the CPU, the number is 1. On a GPU, it is more than 1 if the product is deep
// and has no more tiles than multiprocessors.
inline int64_t depth_parts([[maybe_unused]] const Tensor& a, [[maybe_unused]] const Tensor& b) {
  int64_t parts = 1;
#ifdef USE_CUDA
  const int64_t rows = a.size(0), columns = b.size(1);
  if (!a.is_cpu() && rows > 0 && columns > 0) {
    constexpr int64_t kTile = 64, kLeastDepth = 512;
    int processors = 0;
    KIT_CHECK_CUDA(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, a.get_device()));
    const int64_t tiles = ((rows + kTile - 1) / kTile) * ((columns + kTile - 1) / kTile);
    const int64_t wanted = 2 * processors / tiles, most = a.size(1) / kLeastDepth;
    parts = wanted < most ? wanted : most;
  }
#endif
  return parts > 1 ? parts : 1;
}

}  // namespace KIT_NAMESPACE
