{% set header = 'torch/library.h' %}
{% set macro = 'TORCH_LIBRARY' %}
{% include pathjoin('variants', 'build', 'inline', 'define_once.py') %}
