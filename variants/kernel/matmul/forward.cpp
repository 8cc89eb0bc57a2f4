  {{ cpp.each(pass.inputs, '{guard}{name} = as_contiguous({tensor});') | indent(2) }}
  const int64_t rows = {{ a }}.size(0);
  const int64_t columns = {{ b }}.size(1);
{% set out = pass.row_out.name %}
{% if item.written %}
  check_output(‹"{{ item.name }}", {{ cpp.named(item, out) }}, {{ ([out]
    + pass.given | map(attribute='name') | reject('equalto', out) | list) | join(', ') }}›);
{% else %}
  Tensor {{ out }} = empty_product({{ a }}, {{ b }});
{% endif %}
  // On the CPU, PyTorch multiplies. On a GPU, parts of a small product's depth are multiplied
  // separately, to give work to all multiprocessors.
  Tensor product;
  if ({{ a }}.is_cpu()) {
    product = product_of(as_factor({{ a }}), as_factor({{ b }}));
  }
  const int64_t parts = depth_parts({{ a }}, {{ b }});
  Tensor partial;
  if (parts > 1) partial = empty_parts({{ out }}, parts);

  for_dtype({{ a }}, rows * columns, [&](auto runner) {
    using T = typename decltype(runner)::T;
    {{ pass.class_name }}Args<T> args{};
    {{ cpp.filled_fields(pass) | trim | indent(4) }}
    args.product = const_data<opmath_t<T>>(product);
    args.partial = mutable_data<opmath_t<T>>(partial);
    args.rows = rows;
    args.columns = columns;
    args.depth = {{ a }}.size(1);
    args.parts = parts;
    runner.run(args, rows, columns);
  });
