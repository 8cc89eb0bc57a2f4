{% if pass.name == item.name %}
  const compute_t<T>* product;  // on the CPU, by PyTorch
  compute_t<T>* partial;        // on a GPU, of several parts of the depth
  int64_t rows, columns, depth, parts;
{% else %}
  int64_t count, size, parts;
{% endif %}
