    for_tile<T>(0, size, [&](auto tile) {
{% for name in pass.arrays %}
      Value {{ name }}_values[tile.kSize];
{% endfor %}
{% for x in pass.rows %}
      tile.load({{ x.name }} + start, {{ x.bare }}_values);
{% endfor %}
{% for x in pass.columns %}
      {{ x.guard }}tile.load({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
      for (int i = 0; i < tile.kSize; ++i) {
{% for line in pass.pointers_at_i %}
        {{ line | replace('compute_t<T>', 'Value') }}
{% endfor %}
        {{ pass.name }}_element<Value>({{ pass.values_at_i }});
      }
      {{ pass.row_out.guard }}tile.store({{ pass.row_out.name }} + start, {{ pass.row_out.bare }}_values);
{% for x in pass.sums %}
      if ({{ x.name }}) add_to(tile, {{ x.name }}, {{ x.bare }}_values);
{% endfor %}
    });
