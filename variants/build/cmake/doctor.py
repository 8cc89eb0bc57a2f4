{% set home = 'own_home(path) or cuda_home()' %}
{% set for_gpu = 'f"{REBUILD} -C cmake.define.CMAKE_CUDA_ARCHITECTURES={capability}"' %}
{% set jobs = 'CMAKE_BUILD_PARALLEL_LEVEL' %}
{% set rebuild = 'pip install --no-build-isolation -e .' %}
{% include pathjoin('variants', 'build', 'doctor', 'before_import.py') %}
