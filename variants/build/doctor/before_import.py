{% include pathjoin('variants', 'build', 'doctor', 'compiled.py') %}


REBUILD = "{{ rebuild }}"
# Where there is no repository, the library came in a wheel, and no compiler is needed.
IN_REPOSITORY = Path(__file__).parents[1].joinpath("pyproject.toml").exists()
FOR_COMPILING = [{{ 'backend, ' if cmake }}compiler, nvcc, ninja, memory]
LAST = [library, code, imports]
CHECKS = [pytorch, *(FOR_COMPILING if IN_REPOSITORY else []), *LAST]
{% include pathjoin('variants', 'build', 'doctor', 'compiled_main.py') %}
