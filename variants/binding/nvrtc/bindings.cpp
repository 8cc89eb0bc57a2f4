{% include pathjoin('variants', 'binding', 'torch_library', 'bindings.cpp') %}
