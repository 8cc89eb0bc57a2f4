{% include pathjoin('variants', 'binding', 'torch_library', 'contiguous.h') %}
