{% from pathjoin('variants', 'macros.jinja') import cpp %}
TORCH_LIBRARY({{ project }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ cpp('  m.def(', [['"@"', [name ~ pass.schema]]], ');') }}
{% endfor %}
{% endfor %}
{% endfor %}
}

TORCH_LIBRARY_IMPL({{ project }}, CPU, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
  m.impl("{{ name }}", &{{ pass.name }});
{% endfor %}
{% endfor %}
{% endfor %}
}

TORCH_LIBRARY_IMPL({{ project }}, CUDA, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
  m.impl("{{ name }}", &{{ pass.name }});
{% endfor %}
{% endfor %}
{% endfor %}
}
