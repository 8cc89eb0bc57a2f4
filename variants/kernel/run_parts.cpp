  // The gradient of a column is added up over each part of the rows, and then over the parts.
  const int64_t parts = row_parts({{ first }}, count);
{% for x in pass.sums %}
{% set like = '*%s' % x.source if x.optional else x.source %}
{% set needs = x.needs ~ (' && ' ~ x.source if x.optional else '') %}
  Tensor {{ x.grad }};
  if ({{ needs }}) {{ x.grad }} = empty_contiguous({{ like }});
  Tensor {{ x.name }};
  if ({{ needs }}) {{ x.name }} = empty_parts({{ like }}, parts);
{% endfor %}

  // This also runs if there are no elements: without rows, the sums are zeros, which are written.
  for_dtype({{ first }}, size, [&](auto runner) {
    using T = typename decltype(runner)::T;
    run_parts(runner, parts, count, size, [&](int64_t part) {
      {{ pass.class_name }}Args<T> args{};
      {{ cpp.filled_fields(pass) | trim | indent(6) }}
      args.count = count;
      args.size = size;
      args.parts = parts;
      return args;
    });
{% for x in pass.sums %}
    sum_parts(runner, {{ x.name }}, {{ x.grad }});
{% endfor %}
  });
