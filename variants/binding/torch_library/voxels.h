// ---- Voxels

inline Tensor empty_voxels(const Tensor& like) {
  return like.new_empty(like.sizes(), like.options().dtype(at::kFloat));
}

// For the least and the greatest voxel of parts of a volume, and of all of it.
inline Tensor empty_ranges(const Tensor& like, int64_t parts) {
  return like.new_empty({2 * (parts + 1)}, like.options().dtype(at::kDouble));
}

{% include pathjoin('variants', 'binding', 'voxels.h') %}
