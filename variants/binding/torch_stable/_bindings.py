{% include pathjoin('variants', 'binding', 'torch_library', '_bindings.py') %}
