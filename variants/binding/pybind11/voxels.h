{% include pathjoin('variants', 'binding', 'torch_library', 'voxels.h') %}
