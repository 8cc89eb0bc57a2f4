  // A column's gradient is added up over each part of the rows, and then over the parts.
  const int64_t parts = row_parts({{ first }}, count);
{% for x in pass.sums %}
{% for line in x.declared %}
  {{ line }}
{% endfor %}
{% endfor %}
