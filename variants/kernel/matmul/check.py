    {{ 'shape = ' if pass.first == item.first }}check_factors("{{ item.name }}", {{ item.a }}={{ item.a }}, {{ item.b }}={{ item.b }}{{ ', %s=%s' % (pass.first, pass.first) if pass.first != item.first }})
{% for _ in item.columns[:1] %}
    check_rows("{{ item.name }}", "{{ item.b }}", {{ item.b }}{{ pass.py_columns }})
{% endfor %}
