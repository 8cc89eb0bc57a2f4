// ---- Rows: the last dimension of a tensor

{% if ops | selectattr('kernel', 'equalto', 'rowwise') | list %}
inline void check_rows(const char* op, const char* name, const Tensor& tensor) {
  check_input(op, name, tensor);
  TORCH_CHECK(
      tensor.dim() > 0, op, ": ", name, " must have at least one dimension, that of its rows");
}

{% endif %}
// Columns have an element for each element of a row.
inline void check_columns(
    const char* op,
    const char* name,
    const Tensor& tensor,
    const char* first,
    const Tensor& rows) {
  check_device_and_dtype(op, name, tensor, first, rows);
  TORCH_CHECK(
      tensor.dim() == 1 && tensor.size(0) == rows.size(-1), op, ": ", name,
      " must have the shape of a row of ", first, ", [", rows.size(-1), "], but has ",
      tensor.sizes());
}

// For sums over rows, of the type to compute in.
inline Tensor empty_parts(const Tensor& columns, int64_t parts) {
  const bool wide = columns.scalar_type() == at::kDouble;
  return columns.new_empty(
      {parts, columns.numel()}, columns.options().dtype(wide ? at::kDouble : at::kFloat));
}

{% include pathjoin('variants', 'binding', 'rows.h') %}
