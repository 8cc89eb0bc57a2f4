{% from pathjoin('variants', 'macros.jinja') import cpp %}
{{ library }}({{ project }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.def(', [['"@"', [name ~ pass.schema]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}
{% for device in ['CPU', 'CUDA'] %}

{{ library }}_IMPL({{ project }}, {{ device }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.impl(', [['"@"', [name]], [function, [pass.name]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}
{% endfor %}
