{% include pathjoin('variants', 'build', 'doctor', 'compiled.py') %}


REBUILD = "{{ rebuild }}"
# Where there is no repository, the library came in a wheel, and no compiler is needed.
IN_REPOSITORY = Path(__file__).parents[1].joinpath("pyproject.toml").exists()
FOR_COMPILING = [{{ 'backend, ' if cmake }}compiler, ninja, nvcc, memory] if IN_REPOSITORY else []
CHECKS = [python, pytorch, *FOR_COMPILING, gpu, library, imports]
{% include pathjoin('variants', 'build', 'doctor', 'compiled_main.py') %}
