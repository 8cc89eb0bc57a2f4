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
