{% for name in pass.inputs + pass.outputs %}
    compute_t<T> {{ name }}_values[tile.kSize];
{% endfor %}
{% for name in pass.inputs %}
    tile.load({{ name }}, {{ name }}_values);
{% endfor %}
{{ unroll }}    for (int i = 0; i < tile.kSize; ++i) {
      {{ pass.name }}_element<compute_t<T>>({{ pass.values_at_i }});
    }
{% for name in pass.outputs %}
    tile.store({{ name }}, {{ name }}_values);
{% endfor %}
