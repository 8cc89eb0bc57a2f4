    check_rows("{{ item.name }}", "{{ pass.first }}", {{ pass.first }}{{ pass.py_columns }})
