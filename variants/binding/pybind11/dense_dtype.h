{% include pathjoin('variants', 'binding', 'torch_library', 'dense_dtype.h') %}
