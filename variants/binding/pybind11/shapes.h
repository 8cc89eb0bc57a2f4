{% include pathjoin('variants', 'binding', 'torch_library', 'shapes.h') %}
