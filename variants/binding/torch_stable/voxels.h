// ---- Voxels

inline Tensor empty_voxels(const Tensor& like) {
  return torch::stable::new_empty(like, like.sizes(), ScalarType::Float);
}

// For the least and the greatest voxel of parts of a volume, and of all of it.
inline Tensor empty_ranges(const Tensor& like, int64_t parts) {
  const int64_t sizes[] = {2 * (parts + 1)};
  return torch::stable::new_empty(like, IntHeaderOnlyArrayRef(sizes, 1), ScalarType::Double);
}

{% include pathjoin('variants', 'binding', 'voxels.h') %}
