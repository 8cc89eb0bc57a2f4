{% set folder = 'path.parents[1]' if inline else 'path.parent' %}
{% set from_nothing = 'f"rm -r {shlex.quote(str(' ~ folder ~ '))}; {REBUILD}"' %}
{% set jobs = 'MAX_JOBS' %}
{% set for_gpu = '"unset TORCH_CUDA_ARCH_LIST CPU_ONLY"' %}
{% include pathjoin('variants', 'build', 'doctor', 'compiled.py') %}


REBUILD = f"python -c 'import {PACKAGE}'"
FIRST = [pytorch, compiler, nvcc, ninja, memory]
LAST = [imports, library, code]
CHECKS = FIRST + LAST
{% include pathjoin('variants', 'build', 'doctor', 'compiled_main.py') %}
