    check_dtype("{{ item.name }}", "{{ item.first }}", {{ item.first }}, {{ item.dtype_strings }})
