def _pytorch() -> dict:
    # To import PyTorch takes a second, and not everybody who asks has.
    spec = find_spec("torch")
    if spec is None:
{% if compiled_wheels %}
        raise ImportError(
            "{{ project }} finds no PyTorch: install torch first, and then {{ project }} with "
            "`pip install --no-build-isolation`"
        )
{% else %}
        raise ImportError("{{ project }} finds no PyTorch: run `pip install torch`")
{% endif %}
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


_version = _pytorch()["__version__"]
if tuple(map(int, _version.split(".")[:2])) < (2, 10) or sys.version_info < (3, 10):
    raise ImportError(
        "{{ project }} needs PyTorch 2.10 and Python 3.10, or later ones, but this is PyTorch "
        f"{_version} with Python {sys.version.split()[0]}: run `pip install --upgrade torch`"
    )
{% if registration == 'pybind11' %}
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError(
        "{{ project }} is a pybind11 module, which would turn on the GIL of this free-threaded Python "
        f"({sys.executable}): use another one, or run `copier update --data binding=torch_library`"
    )
{% endif %}
