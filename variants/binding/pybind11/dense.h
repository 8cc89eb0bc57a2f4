{% include pathjoin('variants', 'binding', 'torch_library', 'dense.h') %}
