# What mends a library that does not fit: in a repository, and where a wheel is installed.
REMEDY = f"in {_ROOT}, run {{ rebuild }}"
if not (_ROOT / "pyproject.toml").exists():
    _wheel = "{{ project }}"
    REMEDY = f"run `pip install --force-reinstall --no-deps {_wheel}`, of a wheel for this PyTorch"
