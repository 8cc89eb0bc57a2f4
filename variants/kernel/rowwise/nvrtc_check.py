{% if pass.columns %}
    columns = { {{- pass.py_columns -}} }
{% endif %}
    check_rows("{{ item.name }}", "{{ pass.first }}", {{ pass.first }}, {{ 'columns' if pass.columns else '{}' }})
