{% include pathjoin('variants', 'binding', 'torch_library', 'tensors.h') %}
