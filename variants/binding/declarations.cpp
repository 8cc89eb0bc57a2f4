{% import pathjoin('languages', 'cpp.jinja') as cpp with context %}
{% for item in ops %}
{% for pass in (item.in_cpp | default(item)).passes %}
{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›);
{% endfor %}
{% endfor %}
