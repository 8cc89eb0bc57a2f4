{% from pathjoin('languages', 'py.jinja') import named %}
    {{ 'shape = ' if pass.first == item.first }}check_factors("{{ item.name }}", {{ item.a }}={{ item.a }}, {{ item.b }}={{ item.b }}{{ ', %s=%s' % (pass.first, pass.first) if pass.first != item.first }})
{% if item.columns %}
    check_rows("{{ item.name }}", "{{ item.b }}", {{ item.b }}, {{ named(pass.column_names) }})
{% endif %}
