# What mends a library that does not fit: in a repository, and where a wheel is installed.
REMEDY = f"in {_ROOT}, run {{ rebuild }}"
if not (_ROOT / "pyproject.toml").exists():
    REMEDY = "run `pip install --force-reinstall --no-deps {{ project }}`, of a wheel for this PyTorch"
