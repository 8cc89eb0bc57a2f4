from .._checks import {{ (item.imports + (['check', 'check_rows'] if 'rows' in item.tensor_features else ['check'])) | sort | join(', ') }}

