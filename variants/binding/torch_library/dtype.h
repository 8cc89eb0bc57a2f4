// ---- Results with a dtype of their own

template <typename Device, typename Element, typename OutElement>
struct OutRunner : Runner<Device, Element> {
  using Out = OutElement;
};

// As for_dtype; the dtype of the results is Out.
template <typename Body>
void for_dtypes(const Tensor& tensor, const Tensor& out, int64_t numel, const Body& body) {
  on_device(tensor, numel, [&](const auto& device) {
    using Device = std::decay_t<decltype(device)>;
    with_dtype(device, tensor, [&](auto runner) {
      with_dtype(device, out, [&](auto out_runner) {
        using T = typename decltype(runner)::T;
        using Out = typename decltype(out_runner)::T;
        body(OutRunner<Device, T, Out>{runner});
      });
    });
  });
}
