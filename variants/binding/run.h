{% set asks_device = 'rows' in features or 'dtype' in features %}
// ---- Kernels, which get a struct of <op>_args.h

{% if custom %}
template <typename Args, typename = void>
struct HasCpuKernel : std::false_type {};
template <typename Args>
struct HasCpuKernel<Args, std::void_t<decltype(&Args::run_on_cpu)>> : std::true_type {};

// Whether a piece of work is a thread of its author's, which may cost anything.
template <typename Args, typename = void>
struct HasThreads : std::false_type {};
template <typename Args>
struct HasThreads<Args, std::void_t<decltype(&Args::num_threads)>> : std::true_type {};

// Splits threads by what the first of them cost: a core gets at least 10 microseconds of work,
// which is what it takes to wake it.
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

{% endif %}
// Where a kernel runs, for elements T: over `count` pieces of work{{ ', each of so many elements' if in_pieces }}.
template <typename Element>
struct Cpu {
{% if asks_device %}
  static constexpr bool kOnCpu = true;
{% endif %}
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t count{{ ', int64_t size = 1' if in_pieces }}) const {
{% if custom %}
    if constexpr (HasThreads<Args>::value && HasCpuKernel<Args>::value) {
      parallel_for_threads(count, [&](int64_t begin, int64_t end) {
        args.run_on_cpu(begin, end);
      });
    } else if constexpr (HasCpuKernel<Args>::value) {
      parallel_for(count, size, [&](int64_t begin, int64_t end) {
        args.run_on_cpu(begin, end);
      });
    } else {
      throw std::runtime_error("no CPU kernel: write HAS_CPU_KERNEL = False in ops/<op>.py");
    }
{% else %}
    parallel_for(count, {{ 'size, ' if in_pieces }}[&](int64_t begin, int64_t end) {
      args.run_on_cpu(begin, end);
    });
{% endif %}
  }
};

#ifdef USE_CUDA
template <typename Element>
struct Gpu {
{% if asks_device %}
  static constexpr bool kOnCpu = false;
{% endif %}
  using T = Element;

  template <typename Args>
  void run(const Args& args, int64_t{{ ', int64_t = 1' if in_pieces }}) const {
    {{ check_cuda }}(args.run_on_gpu(stream));
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
{% if binding == 'torch_stable' %}
  const torch::stable::accelerator::DeviceGuard guard(tensor.get_device());
  body(Gpu<OnGpu>{current_stream(tensor)});
{% else %}
  const c10::DeviceGuard guard(tensor.device());
  body(Gpu<OnGpu>{c10::cuda::getCurrentCUDAStream(tensor.get_device())});
{% endif %}
#endif
}
