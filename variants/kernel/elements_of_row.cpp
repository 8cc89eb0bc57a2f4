{% import pathjoin('languages', 'cpp.jinja') as cpp %}
    for_tile<T>(0, size, [&](auto tile) {
{% for x in pass.rows + pass.columns %}
      const auto {{ x.bare }}_values = tile.{{ 'load_optional' if x.optional else 'load' }}({{ x.name
        ~ (' + start' if x in pass.rows) }});
{% endfor %}
{% for x in pass.element_fields if x.role == 'out' %}
{% if item.kernel == 'matmul' and item.written %}
      auto {{ x.bare }}_values = tile.load({{ x.name }} + start);
{% else %}
      Values<T, tile.kSize> {{ x.bare }}_values;
{% endif %}
{% endfor %}
      for (int i = 0; i < tile.kSize; ++i) {
{% for x in pass.element_fields if x.optional and x.role in ['in', 'out'] %}
        {{ 'const ' if x.role == 'in' }}Value* {{ x.bare }}_value = nullptr;
        if ({{ x.sums or x.name }}) {{ x.bare }}_value = &{{ x.bare }}_values[i];
{% endfor %}
        {{ pass.name }}_element<Value>(«{{ cpp.list(pass.element_fields, cpp.element_value) }}»);
      }
      {{ cpp.guard(pass.row_out) }}tile.store({{ pass.row_out.name }} + start, {{ pass.row_out.bare }}_values);
{% for x in pass.sums %}
      if ({{ x.name }}) add_to(tile, {{ x.name }}, {{ x.bare }}_values);
{% endfor %}
    });
