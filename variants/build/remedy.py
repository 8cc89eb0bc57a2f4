# What mends a library that does not fit: in a repository, and where a wheel is installed.
_REBUILD = f"in {_ROOT}, run {{ rebuild }}"
_REINSTALL = "install that PyTorch, or the package that is for this one"
_IN_REPOSITORY = (_ROOT / "pyproject.toml").exists()
REMEDY = _REBUILD if _IN_REPOSITORY else _REINSTALL
