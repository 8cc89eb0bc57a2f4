{% include pathjoin('variants', 'binding', 'torch_library', 'pixels.h') %}
