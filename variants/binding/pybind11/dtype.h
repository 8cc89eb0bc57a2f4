{% include pathjoin('variants', 'binding', 'torch_library', 'dtype.h') %}
