    // No gradient that is needed reads what was not kept: another tensor stands in its place.
{% for input in item.inputs %}
    const Tensor& {{ input.name }} = saved[saved[{{ loop.index0 }}].defined() ? {{ loop.index0 }} : {{ 1 if loop.first else 0 }}];
{% endfor %}
