// A null pointer if nothing is looked for.
inline void* range_data(const std::optional<Tensor>& ranges) {
  return ranges ? ranges->mutable_data_ptr() : nullptr;
}

// The least and the greatest voxel of a volume on the CPU, of what find(begin, end, range) makes of
// a part. In which order parts are merged makes no difference.
template <typename Find>
void find_range(int64_t numel, double (&range)[2], const Find& find) {
  std::mutex mutex;
  bool first = true;
  parallel_for(numel, [&](int64_t begin, int64_t end) {
    double part[2];
    find(begin, end, part);
    const std::lock_guard<std::mutex> lock(mutex);
    range[0] = first || part[0] < range[0] ? part[0] : range[0];
    range[1] = first || part[1] > range[1] ? part[1] : range[1];
    first = false;
  });
}
