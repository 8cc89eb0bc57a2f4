{% include pathjoin('variants', 'build', 'inline', 'torch_library.py') %}
