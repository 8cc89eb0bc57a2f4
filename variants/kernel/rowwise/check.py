    check("{{ item.name }}", {{ pass.py_items }})
    check_rows("{{ item.name }}", "{{ pass.first }}", {{ pass.first }}{{ pass.py_columns }})
