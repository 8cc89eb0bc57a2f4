{% set header = 'torch/csrc/stable/library.h' %}
{% set macro = 'STABLE_TORCH_LIBRARY' %}
{% include pathjoin('variants', 'build', 'inline', 'define_once.py') %}
