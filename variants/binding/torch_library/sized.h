{% set stable = binding == 'torch_stable' %}
// ---- Results whose first size only the kernel knows

// How many there are, which the kernel has counted. Reading it waits for the GPU, as torch.nonzero
// does, so no CUDA graph can record it.
inline int64_t counted(const char* op, const char* size, const Tensor& count, int64_t most) {
{% if stable %}
  int64_t found;
  TORCH_ERROR_CODE_CHECK(aoti_torch_item_int64(count.get(), &found));
{% else %}
  const auto found = count.item<int64_t>();
{% endif %}
  if (found < 0 || found > most) {
    fail(
        {op, ": the kernel counted ", size, " = ", std::to_string(found),
         ", which must be from 0 to ", std::to_string(most)});
  }
  return found;
}

// The first so many rows: a copy, since a view would keep the memory of all.
{% if stable %}
inline Tensor first_rows(Tensor& tensor, int64_t count) {
  using torch::stable::clone, torch::stable::narrow;
  return count == tensor.size(0) ? tensor : clone(narrow(tensor, 0, 0, count));
}
{% else %}
inline Tensor first_rows(const Tensor& tensor, int64_t count) {
  return count == tensor.size(0) ? tensor : tensor.narrow(0, 0, count).clone();
}
{% endif %}
