// ---- Products of matrices, by PyTorch's own operator where that is as good

inline void check_matrix(const char* op, const char* name, const Tensor& tensor) {
  if (tensor.dim() != 2) {
    fail({op, ": ", name, " must have two dimensions, but has ", to_string(tensor.sizes())});
  }
}

inline void check_factors(
    const char* op,
    const char* a_name,
    const Tensor& a,
    const char* b_name,
    const Tensor& b) {
  check_input(op, a_name, a);
  check_device_and_dtype(op, b_name, b, a_name, a);
  check_matrix(op, a_name, a);
  check_matrix(op, b_name, b);
  if (b.size(0) != a.size(1)) {
    fail(
        {op, ": ", b_name, " must have the shape [", std::to_string(a.size(1)), ", ",
         std::to_string(b.size(1)), "] for the columns of ", a_name, ", but has ",
         to_string(b.sizes())});
  }
}

inline void check_product(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* a_name,
    const Tensor& a,
    const char* b_name,
    const Tensor& b) {
  check_device_and_dtype(op, name, tensor, a_name, a);
  if (tensor.dim() != 2 || tensor.size(0) != a.size(0) || tensor.size(1) != b.size(1)) {
    fail(
        {op, ": ", name, " must have the shape of the product of ", a_name, " and ", b_name, ", [",
         std::to_string(a.size(0)), ", ", std::to_string(b.size(1)), "], but has ",
         to_string(tensor.sizes())});
  }
}

inline Tensor empty_product(const Tensor& a, const Tensor& b) {
  const int64_t sizes[] = {a.size(0), b.size(1)};
  return torch::stable::new_empty(a, IntHeaderOnlyArrayRef(sizes, 2));
}

// What PyTorch is to multiply: on the CPU, 16-bit types as float, and the product is not rounded.
inline Tensor as_factor(const Tensor& tensor) {
  const bool wide = !tensor.is_cpu() || tensor.scalar_type() == ScalarType::Double;
  return wide ? tensor : torch::stable::to(tensor, ScalarType::Float);
}

// Not torch::stable::matmul, which autograd and autocast would see; they have seen the operator.
inline Tensor product_of(const Tensor& a, const Tensor& b) {
  const Tensor product = empty_product(a, b);
#ifdef USE_CUDA
  if (!a.is_cpu()) {
    TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_mm_out(product.get(), a.get(), b.get()));
    return product;
  }
#endif
  TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_mm_out(product.get(), a.get(), b.get()));
  return product;
}

// As exact as what the operator had, but where PyTorch is told to use TF32: 16-bit types as
// float. On a GPU that takes several times as long as their own product in float, for which
// PyTorch 2.10 has no function in its stable ABI.
inline Tensor exact_product_of(const Tensor& a, const Tensor& b) {
  const ScalarType dtype = a.scalar_type();
  if (dtype == ScalarType::Float || dtype == ScalarType::Double) return product_of(a, b);
  return product_of(
      torch::stable::to(a, ScalarType::Float), torch::stable::to(b, ScalarType::Float));
}

inline Tensor transposed(const Tensor& tensor) {
  return torch::stable::transpose(tensor, 0, 1);
}

inline Tensor in_dtype_of(const Tensor& like, const Tensor& tensor) {
  const ScalarType dtype = like.scalar_type();
  return tensor.scalar_type() == dtype ? tensor : torch::stable::to(tensor, dtype);
}

{% include pathjoin('variants', 'binding', 'factors.h') %}
