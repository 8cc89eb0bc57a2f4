{% include pathjoin('variants', 'binding', 'torch_library', 'contiguous_dtype.h') %}
