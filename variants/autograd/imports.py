from .._checks import {{ item.checks | join(', ') }}
{% for _ in item.imports[:1] %}
from .._transforms import {{ item.imports | join(', ') }}
{% endfor %}

