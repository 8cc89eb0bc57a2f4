// `muladd` for tensors: checks, allocation, choice of kernel.
#include "../kit/tensors.h"
#include "muladd_args.h"

namespace my_ops {

Tensor muladd(Tensor a, Tensor b, double c) {
  const Checks check("muladd", "a", a);
  check.floating();
  check.like("b", b);
  a = as_dense(a);
  b = in_layout_of(a, b);
  Tensor out = empty_dense(a);
  const int64_t numel = a.numel();
  for_dtype(a, numel, [&](auto runner) {
    using T = typename decltype(runner)::T;
    MuladdArgs<T> args{};
    args.a = const_data<T>(a);
    args.b = const_data<T>(b);
    args.c = c;
    args.out = mutable_data<T>(out);
    args.numel = numel;
    runner.run(args, numel);
  });
  return out;
}

std::tuple<Tensor, Tensor> muladd_backward(
    Tensor grad_out, Tensor a, Tensor b, double c, bool needs_a, bool needs_b) {
  const Checks check("muladd", "grad_out", grad_out);
  check.floating();
  check.like("a", a);
  check.like("b", b);
  a = as_dense(a);
  grad_out = in_layout_of(a, grad_out);
  b = in_layout_of(a, b);
  Tensor grad_a;
  if (needs_a) grad_a = empty_dense(a);
  Tensor grad_b;
  if (needs_b) grad_b = empty_dense(a);
  const int64_t numel = grad_out.numel();
  for_dtype(grad_out, numel, [&](auto runner) {
    using T = typename decltype(runner)::T;
    MuladdBackwardArgs<T> args{};
    args.grad_out = const_data<T>(grad_out);
    args.a = const_data<T>(a);
    args.b = const_data<T>(b);
    args.c = c;
    args.grad_a = mutable_data<T>(grad_a);
    args.grad_b = mutable_data<T>(grad_b);
    args.numel = numel;
    runner.run(args, numel);
  });
  return std::make_tuple(grad_a, grad_b);
}

}  // namespace my_ops
