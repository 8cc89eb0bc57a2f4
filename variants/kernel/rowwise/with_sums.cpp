  // A column's gradient is added up over each part of the rows, and then over the parts.
  const int64_t parts = row_parts({{ first }}, count);
{% for x in pass.sums %}
{% for line in x.declared %}
  {{ line }}
{% endfor %}
{% endfor %}

  // Not by the number of elements: without rows, the sums are zeros that have to be written.
  for_dtype({{ first }}, size, [&](auto zero) {
    using T = decltype(zero);
    if ({{ first }}.is_cpu()) {
      using Value = compute_t<T>;
      parallel_for_rows(parts, (count / parts + 1) * size, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
          const int64_t first_row = part * count / parts, last_row = (part + 1) * count / parts;
{% for x in pass.sums %}
          Value* const {{ x.part }} = sums_of_part<Value>({{ x.name }}, part, size);
{% endfor %}
          {{ pass.name }}_cpu({{ pass.cpu_data }}, size, first_row, last_row);
        }
      });
{% for x in pass.sums %}
      {{ x.guard }}sum_parts(mutable_data<Value>({{ x.name }}), mutable_data<T>({{ x.grad }}), parts, size);
{% endfor %}
      return;
    }
#ifdef USE_CUDA
    const DeviceGuard guard({{ first }}.get_device());
    const cudaError_t error = launch_{{ pass.name }}({{ pass.launch_data }}, count, size, parts, current_stream({{ first }}));
