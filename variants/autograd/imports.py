from .._checks import {{ 'check, check_rows' if 'rows' in item.tensor_features else 'check' }}
{% for _ in item.imports[:1] %}
from .._transforms import {{ item.imports | join(', ') }}
{% endfor %}

