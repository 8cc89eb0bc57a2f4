#pragma unroll
        for (int j = 0; j < Access::kSize; ++j) {
{% for line in pass.pointers_at_i %}
          {{ line | replace('[i]', '[j]') }}
{% endfor %}
          {{ pass.name }}_element<Value>({{ pass.values_at_i | replace('[i]', '[j]') }});
        }
        Access access;
        access.pack({{ pass.row_out.bare }}_values);
        {{ pass.row_out.guard }}tile.store({{ pass.row_out.name }} + start, i, access);
{% for x in pass.sums %}
        {{ x.total }}.add(tile, t, i, {{ x.bare }}_values);
{% endfor %}
