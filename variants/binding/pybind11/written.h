{% include pathjoin('variants', 'binding', 'torch_library', 'written.h') %}
