{% from pathjoin('languages', 'py.jinja') import named %}
    check("{{ item.name }}", {{ named([pass.first] + pass.given | map(attribute='name') | reject('in', [pass.first] + pass.column_names) | list) }})
    check_rows("{{ item.name }}", "{{ pass.first }}", {{ pass.first }}{{ ', ' ~ named(pass.column_names) if pass.column_names }})
