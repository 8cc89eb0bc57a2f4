// ---- Products of matrices, by PyTorch's own operator where that is as good

inline void check_factors(
    const char* op,
    const char* a_name,
    const Tensor& a,
    const char* b_name,
    const Tensor& b) {
  check_input(op, a_name, a);
  check_device_and_dtype(op, b_name, b, a_name, a);
  TORCH_CHECK(a.dim() == 2, op, ": ", a_name, " must have two dimensions, but has ", a.sizes());
  TORCH_CHECK(b.dim() == 2, op, ": ", b_name, " must have two dimensions, but has ", b.sizes());
  TORCH_CHECK(
      b.size(0) == a.size(1), op, ": ", b_name, " must have the shape [", a.size(1), ", ",
      b.size(1), "] for the columns of ", a_name, ", but has ", b.sizes());
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
  TORCH_CHECK(
      tensor.dim() == 2 && tensor.size(0) == a.size(0) && tensor.size(1) == b.size(1), op, ": ",
      name, " must have the shape of the product of ", a_name, " and ", b_name, ", [", a.size(0),
      ", ", b.size(1), "], but has ", tensor.sizes());
}

inline Tensor empty_product(const Tensor& a, const Tensor& b) {
  return a.new_empty({a.size(0), b.size(1)});
}

// What PyTorch is to multiply: on the CPU, 16-bit types as float, and the product is not rounded.
inline Tensor as_factor(const Tensor& tensor) {
  const bool wide = !tensor.is_cpu() || tensor.scalar_type() == at::kDouble;
  return wide ? tensor : tensor.to(at::kFloat);
}

// Of such a product, autograd and autocast are to know nothing: they have seen the operator.
class BelowAutogradAndAutocast : c10::impl::ExcludeDispatchKeyGuard {
 public:
  BelowAutogradAndAutocast()
      : ExcludeDispatchKeyGuard(
            c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset) {}
};

inline Tensor product_of(const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  return a.mm(b);
}

// The same in the type to compute in, of 16-bit types too: as exact as what the operator had, but
// where PyTorch is told to use TF32.
inline Tensor exact_product_of(const Tensor& a, const Tensor& b) {
  const BelowAutogradAndAutocast guard;
  const bool wide = a.scalar_type() == at::kFloat || a.scalar_type() == at::kDouble;
  return wide ? a.mm(b) : at::_ops::mm_dtype::call(a, b, at::kFloat);
}

inline Tensor transposed(const Tensor& tensor) {
  return tensor.t();
}

inline Tensor in_dtype_of(const Tensor& like, const Tensor& tensor) {
  return tensor.to(like.scalar_type());
}

{% include pathjoin('variants', 'binding', 'factors.h') %}
