  constexpr Dtypes<{{ item.cpu_types | join(', ') }}> dtypes{};
  const Checks check(‹"{{ item.name }}", {{ cpp.named(item, first) }}, {{ first }}›);
  check(‹{{ cpp.named(item, first) }}, {{ first }}, dtypes›);
  {{ first }} = as_contiguous({{ first }});
  Tensor {{ item.results[0] }} = empty_voxels({{ first }});
  const int64_t numel = {{ first }}.numel();
{% if item.bounds %}
  const bool own = {{ item.bounds | map('regex_replace', '^', '!') | join(' || ') }};
  Tensor ranges;
  if (own && !{{ first }}.is_cpu()) {
    ranges = empty_ranges({{ first }}, kRangeBlocks);
  }
{% endif %}

  for_dtype_of(dtypes, {{ first }}, numel, [&](auto runner) {
    using T = typename decltype(runner)::T;
    {{ pass.class_name }}Args<T> args{};
    {{ cpp.filled_fields(pass) | trim | indent(4) }}{{
      '\n    args.ranges = mutable_data<void>(ranges);' if item.bounds }}
    args.numel = numel;
{% if item.bounds %}
    if (own && {{ first }}.is_cpu()) {
      double range[2] = {};
      find_range(args, range);
{% for bound in item.bounds %}
      args.{{ bound }} = {{ bound }}.value_or(range[{{ loop.index0 }}]);
{% endfor %}
    }
{% endif %}
    runner.run(args, numel);
  });
