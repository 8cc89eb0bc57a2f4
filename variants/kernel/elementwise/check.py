{% from pathjoin('languages', 'py.jinja') import named %}
    check("{{ item.name }}", {{ named([pass.first] + pass.given | map(attribute='name') | reject('equalto', pass.first) | list) }})
