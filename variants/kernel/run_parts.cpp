
  // This also runs if there are no elements: without rows, the sums are zeros, which are written.
  for_dtype({{ first }}, size, [&](auto runner) {
    using T = typename decltype(runner)::T;
    run_parts(runner, parts, count, size, [&](int64_t part) {
      {{ pass.class_name }}Args<T> {{ args }}{};
      {{ cpp.filled_fields(pass) | trim | indent(6) }}
      {{ args }}.count = count;
      {{ args }}.size = size;
      {{ args }}.parts = parts;
      return {{ args }};
    });
{% for x in pass.sums %}
    sum_parts(runner, {{ x.name }}, {{ x.grad }});
{% endfor %}
  });
