{% from pathjoin('variants', 'macros.jinja') import py %}
{{ py('    return _op(', [['@', item.names]], ')') }}
