{% include pathjoin('variants', 'binding', 'torch_library', 'dtypes.h') %}
