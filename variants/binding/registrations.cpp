{% from pathjoin('languages', 'schema.jinja') import schema %}
{{ library }}({{ project }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered + pass.defined %}
  m.def(«"{{ name }}{{ schema(pass, name) }}"»);
{% endfor %}
{% endfor %}
{% endfor %}
}
{% for device in ['CPU', 'CUDA'] %}

{{ library }}_IMPL({{ project }}, {{ device }}, m) {
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
  m.impl(«"{{ name }}", {{ function | replace('@', pass.name) }}»);
{% endfor %}
{% endfor %}
{% endfor %}
}
{% endfor %}
