      using Value = compute_t<T>;
      parallel_for_rows(parts, (count / parts + 1) * size, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
          const int64_t first_row = part * count / parts, last_row = (part + 1) * count / parts;
{% for x in pass.sums %}
          Value* const {{ x.part }} = sums_of_part(needed_data<Value>({{ x.name }}), part, size);
{% endfor %}
          {{ pass.name }}_cpu({{ pass.cpu_data }}, size, first_row, last_row);
        }
      });
{% for x in pass.sums %}
      if ({{ x.name }}.defined()) {
        sum_parts(mutable_data<Value>({{ x.name }}), mutable_data<T>({{ x.grad }}), parts, size);
      }
{% endfor %}
