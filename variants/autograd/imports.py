from .._checks import {{ (item.imports + item.checks) | sort | join(', ') }}

