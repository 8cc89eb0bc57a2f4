// ---- Results with a dtype of their own

template <typename Runner, typename OutElement>
struct OutRunner : Runner {
  using Out = OutElement;
};

// As for_dtype; the dtype of the results is Out.
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
