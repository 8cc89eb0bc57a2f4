    check("{{ item.name }}", {{ pass.py_items }})
