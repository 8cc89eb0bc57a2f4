{% set for_gpu = 'f"TORCH_CUDA_ARCH_LIST={capability / 10} {REBUILD} --force"' %}
{% set from_nothing = 'f"{REBUILD} --force"' %}
{% set jobs = 'MAX_JOBS' %}
{% set rebuild = 'python setup.py build_ext --inplace' %}
{% include pathjoin('variants', 'build', 'doctor', 'before_import.py') %}
