{% for x in pass.inputs %}
  {{ x.guard }}{{ x.name }} = as_contiguous({{ x.value }});
{% endfor %}
  const int64_t rows = {{ a }}.size(0);
  const int64_t columns = {{ b }}.size(1);
  Tensor {{ pass.out.name }} = empty_product({{ a }}, {{ b }});
  // So that a small product has work for the whole GPU, parts of its depth are multiplied apart.
  const int64_t parts = depth_parts({{ a }}, {{ b }});
  const Tensor partial = parts > 1 ? empty_parts({{ pass.out.name }}, parts) : {{ pass.out.name }};

  for_dtype({{ a }}, rows * columns, [&](auto zero) {
    using T = decltype(zero);
    if ({{ a }}.is_cpu()) {
      const Tensor product = product_of(as_factor({{ a }}), as_factor({{ b }}));
      parallel_for_rows(rows, columns, [&](int64_t begin, int64_t end) {
        {{ pass.name }}_cpu({{ pass.cpu_data }}, columns, begin, end);
      });
      return;
    }
