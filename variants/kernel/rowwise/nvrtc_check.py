    check_columns("{{ item.name }}", "{{ pass.first }}", {{ pass.first }}, { {{- pass.py_columns -}} })
