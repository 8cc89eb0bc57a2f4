{% from pathjoin('languages', 'py_shapes.jinja') import checks, results with context %}
{{ '    _checks.check_defined(‹"%s", %s›)\n' % (item.name, named(item.required)) if item.required -}}
{{ check_lengths(item) | regex_replace('(?m)^(?=.)', '    ') -}}
{{ '    ' }}{{ checks(item.name, item.shapes) | trim | indent(4) }}
{{ results(item.shapes, item.op_listed) | regex_replace('(?m)^(?=.)', '    ') if item.results -}}
