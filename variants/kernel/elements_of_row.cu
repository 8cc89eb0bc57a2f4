#pragma unroll
        for (int j = 0; j < Access::kSize; ++j) { {{- cpp.pointers(pass.element_fields, 10, 'j') }}
          {{ pass.name }}_element<Value>(‹{{ cpp.list(pass.element_fields, cpp.field, 'element_value', i='j') }}›);
        }
        {{ cpp.guard(pass.row_out) }}tile.store({{ pass.row_out.name }} + start, i, {{ pass.row_out.bare }}_values);
{% for x in pass.sums %}
        {{ x.total }}.add(tile, t, i, {{ x.bare }}_values);
{% endfor %}
