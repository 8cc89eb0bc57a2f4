// ---- Arguments that are written to

{% include pathjoin('variants', 'binding', 'share_memory.h') %}

// A kernel writes to the tensor itself, in memory that none of the others may share with it.
template <typename... Others>
void check_output(const char* op, const char* name, const Tensor& tensor, const Others&... others) {
  if (!tensor.is_contiguous()) {
    fail(
        {op, ": ", name, " is written to and must be contiguous, but has strides ",
         to_string(tensor.strides())});
  }
  if ((share_memory(tensor, others) || ...)) {
    fail({op, ": ", name, " is written to and must not share memory with another argument"});
  }
}
