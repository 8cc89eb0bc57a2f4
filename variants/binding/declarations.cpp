{% from pathjoin('variants', 'macros.jinja') import cpp %}
{% for item in ops %}
{% for pass in item.passes %}
{{ cpp(pass.cpp_returns ~ ' ' ~ pass.name ~ '(', [['@', pass.cpp_args]], ');') }}
{% endfor %}
{% endfor %}
