  const Checks check(‹"{{ item.name }}", {{ cpp.named(item, first) }}, {{ first }}›);
  check.floating();
  check.rows(); {{- cpp.checks(item, pass) | indent(2) }}
  {{ cpp.each(pass.rows + pass.columns, '{guard}{name} = as_contiguous({tensor});') | indent(2) }}
  const int64_t size = {{ first }}.size(-1);
  const int64_t count = size == 0 ? 0 : {{ first }}.numel() / size;
  {{ cpp.defined(pass.row_out) }} = empty_contiguous({{ pass.rows[0].name }});
{% if pass.sums %}
{% include pathjoin('variants', 'kernel', 'run_parts.cpp') %}
{% else %}

  for_dtype({{ first }}, count * size, [&](auto runner) {
    using T = typename decltype(runner)::T;
    {{ pass.class_name }}Args<T> args{};
    {{ cpp.filled_fields(pass) | trim | indent(4) }}
    args.count = count;
    args.size = size;
    runner.run(args, count, size);
  });
{% endif %}
