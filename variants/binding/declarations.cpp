{% for item in ops %}
{% for pass in item.passes %}
{{ pass.returns }} {{ pass.name }}({{ pass.parameters }});
{% endfor %}
{% endfor %}
