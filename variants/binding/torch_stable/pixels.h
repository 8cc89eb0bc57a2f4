// ---- Pixels: the last dimension of an image has their channels

inline void check_channels(
    const char* op,
    const char* name,
    const Tensor& tensor,
    int64_t channels) {
  if (tensor.dim() == 0 || tensor.size(-1) != channels) {
    fail(
        {op, ": ", name, " must have ", std::to_string(channels),
         " channels in its last dimension, but has the shape ", to_string(tensor.sizes())});
  }
}

// With one channel, an image has no dimension for it.
inline Tensor empty_pixels(const Tensor& image, int64_t channels) {
  std::vector<int64_t> sizes(image.sizes().begin(), image.sizes().end());
  sizes.pop_back();
  if (channels != 1) sizes.push_back(channels);
  return torch::stable::new_empty(image, IntHeaderOnlyArrayRef(sizes.data(), sizes.size()));
}
