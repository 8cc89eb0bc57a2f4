from .._checks import {{ (item.imports + item.checks + (['check_number'] if item.float_numbers else [])) | sort | join(', ') }}

