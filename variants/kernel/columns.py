{% for name in pass.column_names %}
    {{ check }}.columns(‹"{{ name }}", {{ name }}, "{{ of }}", {{ of }}›)
{% endfor %}
