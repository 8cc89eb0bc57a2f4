# What mends a library that does not fit: in a repository, and where a wheel is installed.
_REBUILD = f"in {_ROOT}, run {{ rebuild }}"
_REINSTALL = "install that PyTorch, or the package that is for this one"
REMEDY = _REBUILD if (_ROOT / "pyproject.toml").exists() else _REINSTALL
