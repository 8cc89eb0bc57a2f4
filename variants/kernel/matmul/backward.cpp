  {{ first }} = as_contiguous({{ first }});
{% for x in pass.columns %}
  {{ cpp.guard(x) }}{{ x.name }} = as_contiguous({{ cpp.value(x) }});
{% endfor %}
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
{% for factor, grad, value in [
  (a, pass.outputs[0].name, 'product_of(grad_product, transposed(%s))' % b),
  (b, pass.outputs[1].name, 'product_of(transposed(%s), grad_product)' % a),
] %}
  Tensor {{ grad }};
  if (needs_{{ factor }}) {
    {{ grad }} = in_dtype_of({{ first }}, {{ value }});
  }
{% endfor %}
