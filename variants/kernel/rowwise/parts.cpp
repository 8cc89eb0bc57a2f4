  // A column's gradient is added up over each part of the rows, and then over the parts.
  const int64_t parts = row_parts({{ first }}, count);
{% for x in pass.sums %}
{% set like = '*%s' % x.source if x.optional else x.source %}
  Tensor {{ x.grad }};
  Tensor {{ x.name }};
  if ({{ x.needs ~ (' && ' ~ x.source if x.optional else '') }}) {
    {{ x.grad }} = empty_contiguous({{ like }});
    {{ x.name }} = empty_parts({{ like }}, parts);
  }
{% endfor %}
