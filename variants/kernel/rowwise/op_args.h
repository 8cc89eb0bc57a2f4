{% if pass.sums %}
  int64_t count, size, parts;
{% else %}
  int64_t count, size;
{% endif %}
