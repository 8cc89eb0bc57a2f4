def _pytorch() -> dict[str, Any]:
    # To import PyTorch takes a second, and not everybody who asks has.
    spec = find_spec("torch")
{% if cmake %}
    if spec is None:
        raise ImportError(
            "{{ project }} finds no PyTorch: install torch first, and then {{ project }} with "
            "`pip install --no-build-isolation`"
        )
{% endif %}
    assert spec and spec.origin
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))
{% if cmake and registration == 'pybind11' %}


if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError(
        "{{ project }} is a pybind11 module, which would turn on the GIL of this free-threaded Python "
        f"({sys.executable}): use another one, or run `copier update --data binding=torch_library`"
    )
{% endif %}
