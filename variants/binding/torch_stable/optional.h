{% include pathjoin('variants', 'binding', 'torch_library', 'optional.h') %}
