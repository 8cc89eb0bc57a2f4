{# What the doctor's messages say of a build by CMake. #}
{% set for_gpu = 'f"{REBUILD} --config-settings=cmake.define.CMAKE_CUDA_ARCHITECTURES={capability}"' %}
{% set from_nothing = 'f"rm -r build; {REBUILD}"' %}
{% set jobs = 'CMAKE_BUILD_PARALLEL_LEVEL' %}
{% set rebuild = 'pip install --no-build-isolation -e .' %}
{% include pathjoin('variants', 'build', 'doctor', 'before_import.py') %}
