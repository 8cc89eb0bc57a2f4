  check_product("{{ item.name }}", "{{ first }}", {{ first }}, "{{ a }}", {{ a }}, "{{ b }}", {{ b }});
  {{ first }} = as_contiguous({{ first }});
{% for x in pass.columns %}
  {{ x.guard }}{{ x.name }} = as_contiguous({{ x.value }});
{% endfor %}
  // PyTorch's own products, around the gradient of the element.
  {{ a }} = as_factor({{ a }});
  {{ b }} = as_factor({{ b }});
  const Tensor product = exact_product_of({{ a }}, {{ b }});
  Tensor grad_product;
  if (needs_{{ a }} || needs_{{ b }}) {
    grad_product = empty_product({{ a }}, {{ b }});
  }
  const int64_t count = {{ first }}.size(0);
  const int64_t size = {{ first }}.size(1);
{% include pathjoin('variants', 'kernel', 'rowwise', 'parts.cpp') %}

  // Not by the number of elements: without rows, the sums are zeros that have to be written.
  for_dtype({{ first }}, size, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
{% include pathjoin('variants', 'kernel', 'rowwise', 'loop_over_parts.cpp') %}
      return;
    }
