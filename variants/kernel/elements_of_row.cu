{% import pathjoin('languages', 'cpp.jinja') as cpp %}
#pragma unroll
        for (int j = 0; j < Access::kSize; ++j) {
{% for x in pass.element_fields if x.optional and x.role in ['in', 'out'] %}
          {{ 'const ' if x.role == 'in' }}Value* {{ x.bare }}_value = nullptr;
          if ({{ x.sums or x.name }}) {{ x.bare }}_value = &{{ x.bare }}_values[j];
{% endfor %}
          {{ pass.name }}_element<Value>(«{{ cpp.list(pass.element_fields, cpp.element_value, i='j') }}»);
        }
        {{ cpp.guard(pass.row_out) }}tile.store({{ pass.row_out.name }} + start, i, {{ pass.row_out.bare }}_values);
{% for x in pass.sums %}
        {{ x.total }}.add(tile, t, i, {{ x.bare }}_values);
{% endfor %}
