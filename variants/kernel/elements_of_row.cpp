    for_tile<T>(0, size, [&](auto tile) {
{% for x in pass.rows + pass.columns %}
      const auto {{ x.bare }}_values = {{ cpp.of_tile(x, ' + start' if x in pass.rows else '') }};
{% endfor %}
      {{ 'auto %s_values = tile.load(%s + start);' % (pass.row_out.bare, pass.row_out.name) if item.written
        else cpp.each(pass.writes, 'Values<T, tile.kSize> {bare}_values;') | indent(6) }}
      for (int i = 0; i < tile.kSize; ++i) { {{- cpp.pointers(pass.element_fields, 8) }}
        {{ pass.name }}_element<Value>(‹{{ cpp.list(pass.element_fields, cpp.field, 'element_value') }}›);
      }
      {{ cpp.guard(pass.row_out) }}tile.store({{ pass.row_out.name }} + start, {{ pass.row_out.bare }}_values);
{% for x in pass.sums %}
      if ({{ x.name }}) add_to(tile, {{ x.name }}, {{ x.bare }}_values);
{% endfor %}
    });
