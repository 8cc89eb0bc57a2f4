// Splits rows among PyTorch's threads: a thread gets those that begin among its elements.
template <typename Body>
void parallel_for_rows(int64_t count, int64_t size, const Body& body) {
  parallel_for(count * size, [&](int64_t begin, int64_t end) {
    body((begin + size - 1) / size, (end + size - 1) / size);
  });
}

// In how many parts rows are added up, at least one, each with sums of its own. It decides the
// order of the sum, so it does not depend on the number of threads: on the CPU it is one that many
// cores can share, on a GPU a few for each multiprocessor, fewer where rows are long. The sums of
// few and long rows take as many elements as the rows.
inline int64_t row_parts(const Tensor& rows, int64_t count) {
  int64_t most = 64;
#ifdef USE_CUDA
  if (!rows.is_cpu()) {
    int processors = 0;
    check_launch(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, rows.get_device()));
    const int64_t bytes = rows.size(-1) * rows.element_size();
    most = processors * (bytes <= 8192 ? 4 : bytes <= 16384 ? 2 : 1);
  }
#endif
  return count == 0 ? 1 : count < most ? count : most;
}

template <typename Value>
Value* sums_of_part(Value* of_parts, int64_t part, int64_t size) {
  return of_parts ? of_parts + part * size : nullptr;
}

// Adds up the sums of all parts, for each column: in those of the first part, and rounded in `to`.
template <typename Value, typename T>
void sum_parts(Value* of_parts, T* to, int64_t parts, int64_t size) {
  parallel_for(size, [&](int64_t begin, int64_t end) {
    for (int64_t part = 1; part < parts; ++part) {
      for (int64_t i = begin; i < end; ++i) of_parts[i] += of_parts[part * size + i];
    }
    for (int64_t i = begin; i < end; ++i) to[i] = static_cast<T>(of_parts[i]);
  });
}
