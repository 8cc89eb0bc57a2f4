  {{ cpp.each(pass.rows[:1] + pass.columns, '{guard}{name} = as_contiguous({tensor});') | indent(2) }}
  // PyTorch's own products, before and after the gradient of the element.
  {{ a }} = as_factor({{ a }});
  {{ b }} = as_factor({{ b }});
  const Tensor product = exact_product_of({{ a }}, {{ b }});
  Tensor grad_product;
  if (needs_{{ a }} || needs_{{ b }}) {
    grad_product = empty_product({{ a }}, {{ b }});
  }
  const int64_t count = {{ first }}.size(0);
  const int64_t size = {{ first }}.size(1);
{% include pathjoin('variants', 'kernel', 'run_parts.cpp') %}
  Tensor {{ pass.outputs[0].name }};
  if (needs_{{ a }}) {
    {{ pass.outputs[0].name }} = in_dtype_of({{ first }}, product_of(grad_product, transposed({{ b }})));
  }
  Tensor {{ pass.outputs[1].name }};
  if (needs_{{ b }}) {
    {{ pass.outputs[1].name }} = in_dtype_of({{ first }}, product_of(transposed({{ a }}), grad_product));
  }
