{{ library }}({{ project }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name, schema in (pass.registered.items() | list + pass.defined.items() | list) %}
  m.def("{{ name }}{{ schema }}");
{% endfor %}
{% endfor %}
{% endfor %}
}
{% for device in ['CPU', 'CUDA'] %}

{{ library }}_IMPL({{ project }}, {{ device }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
  m.impl("{{ name }}", {{ function | replace('@', pass.name) }});
{% endfor %}
{% endfor %}
{% endfor %}
}
{% endfor %}
