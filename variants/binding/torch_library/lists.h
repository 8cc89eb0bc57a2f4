{% set listed = ops | selectattr('lists') | list %}
{% set written = listed | map(attribute='written') | sum(start=[]) | selectattr('list') | list %}
{% set largest = 'numel_of(' in listed | map(attribute='num_threads') | join %}
// ---- Lists of tensors, whose pointers a kernel gets in arrays

inline void check_not_empty(const char* op, const char* name, const std::vector<Tensor>& tensors) {
  if (tensors.empty()) fail({op, ": ", name, " must have at least one tensor"});
}

inline std::vector<Tensor> as_contiguous(std::vector<Tensor> tensors) {
  for (Tensor& tensor : tensors) tensor = as_contiguous(tensor);
  return tensors;
}

inline int64_t numel_of(const Tensor& tensor) {
  return tensor.numel();
}
{% if largest %}
inline int64_t numel_of(const std::vector<Tensor>& tensors) {  // of the largest
  int64_t most = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() > most) most = tensor.numel();
  }
  return most;
}
{% endif %}

// Fills an array with what a kernel needs of each tensor, such as its pointer.
template <typename T, size_t most>
void fill_array(
    const char* op,
    const char* name,
    T (&array)[most],
    const std::vector<Tensor>& tensors,
    T (*value_of)(const Tensor&)) {
  if (tensors.size() > most) {
    fail(
        {op, ": ", name, " must have at most ", std::to_string(most), " tensors, but has ",
         std::to_string(tensors.size())});
  }
  for (size_t i = 0; i < tensors.size(); ++i) array[i] = value_of(tensors[i]);
}
{% if written %}

// Where the elements of tensors are, each from begin to end.
using Memory = std::vector<std::pair<const char*, const char*>>;

inline void add_memory(Memory& memory, const Tensor& tensor) {
  const auto* begin = static_cast<const char*>(tensor.const_data_ptr());
  memory.emplace_back(begin, begin + tensor.numel() * tensor.element_size());
}
inline void add_memory(Memory& memory, const std::optional<Tensor>& tensor) {
  if (tensor) add_memory(memory, *tensor);
}
inline void add_memory(Memory& memory, const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) add_memory(memory, tensor);
}

// A kernel writes to each of them, in memory that no other tensor shares with it.
template <typename... Others>
void check_output(
    const char* op,
    const char* name,
    const std::vector<Tensor>& tensors,
    const Others&... others) {
  Memory taken;
  (add_memory(taken, others), ...);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string one = std::string(name) + "[" + std::to_string(i) + "]";
    check_output(op, one.c_str(), tensors[i]);
    Memory own;
    add_memory(own, tensors[i]);
    for (const auto& [begin, end] : taken) {
      if (begin < own[0].second && own[0].first < end) {
        fail({op, ": ", one, " is written to and must not share memory with another argument"});
      }
    }
    taken.push_back(own[0]);
  }
}
{% endif %}
