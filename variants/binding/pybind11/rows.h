{% include pathjoin('variants', 'binding', 'torch_library', 'rows.h') %}
