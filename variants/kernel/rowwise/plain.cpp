
  for_dtype({{ first }}, count * size, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
      parallel_for_rows(count, size, [&](int64_t begin, int64_t end) {
        {{ pass.name }}_cpu({{ pass.cpu_data }}, size, begin, end);
      });
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard({{ first }}.get_device());
    const cudaError_t error = launch_{{ pass.name }}({{ pass.launch_data }}, count, size, current_stream({{ first }}));
