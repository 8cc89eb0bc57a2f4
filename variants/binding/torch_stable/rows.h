// ---- Rows: the last dimension of a tensor

{% if ops | selectattr('kernel', 'equalto', 'rowwise') | list %}
inline void check_rows(const char* op, const char* name, const Tensor& tensor) {
  check_input(op, name, tensor);
  if (tensor.dim() == 0) {
    fail({op, ": ", name, " must have at least one dimension, that of its rows"});
  }
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
  if (tensor.dim() != 1 || tensor.size(0) != rows.size(-1)) {
    fail(
        {op, ": ", name, " must have the shape of a row of ", first, ", [",
         std::to_string(rows.size(-1)), "], but has ", to_string(tensor.sizes())});
  }
}

// For sums over rows, of the type to compute in.
inline Tensor empty_parts(const Tensor& columns, int64_t parts) {
  const bool wide = columns.scalar_type() == ScalarType::Double;
  const int64_t sizes[] = {parts, columns.numel()};
  return torch::stable::new_empty(
      columns, IntHeaderOnlyArrayRef(sizes, 2), wide ? ScalarType::Double : ScalarType::Float);
}

{% include pathjoin('variants', 'binding', 'rows.h') %}
