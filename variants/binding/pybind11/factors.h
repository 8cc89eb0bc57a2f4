{% include pathjoin('variants', 'binding', 'torch_library', 'factors.h') %}
