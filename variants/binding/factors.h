// In how many parts the depth of a product is multiplied apart, to be added up in the same order
// each time: more than one if it is deep, and so small that its tiles leave multiprocessors idle.
inline int64_t depth_parts([[maybe_unused]] const Tensor& a, [[maybe_unused]] const Tensor& b) {
  int64_t parts = 1;
#ifdef USE_CUDA
  const int64_t rows = a.size(0), columns = b.size(1);
  if (!a.is_cpu() && rows > 0 && columns > 0) {
    constexpr int64_t kTile = 64, kLeastDepth = 512;
    int processors = 0;
    {{ check_cuda }}(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, a.get_device()));
    const int64_t tiles = ((rows + kTile - 1) / kTile) * ((columns + kTile - 1) / kTile);
    const int64_t wanted = 2 * processors / tiles, most = a.size(1) / kLeastDepth;
    parts = wanted < most ? wanted : most;
  }
#endif
  return parts > 1 ? parts : 1;
}
