{% from pathjoin('variants', 'macros.jinja') import cpp_call %}
{% for name in pass.inputs + pass.outputs %}
    compute_t<T> {{ name }}_values[tile.kSize];
{% endfor %}
{% for name in pass.inputs %}
    tile.load({{ name }}, {{ name }}_values);
{% endfor %}
{{ unroll }}    for (int i = 0; i < tile.kSize; ++i) {
{{ cpp_call('      ' ~ pass.name ~ '_element<compute_t<T>>(', [['@_values[i]', pass.inputs], ['@', item.scalars], ['@_values[i]', pass.outputs]], ');') }}
    }
{% for name in pass.outputs %}
    tile.store({{ name }}, {{ name }}_values);
{% endfor %}
