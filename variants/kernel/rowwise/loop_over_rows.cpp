      parallel_for_rows(count, size, [&](int64_t begin, int64_t end) {
        {{ pass.name }}_cpu({{ pass.cpu_data }}, size, begin, end);
      });
