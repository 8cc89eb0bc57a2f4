// ---- Lists whose length the schema has, which PyTorch does not check

inline void check_length(const char* op, const char* name, size_t found, size_t length) {
  if (found == length) return;
  throw std::runtime_error(
      std::string(op) + ": " + name + " must have length " + std::to_string(length) + ", got " +
      std::to_string(found));
}
