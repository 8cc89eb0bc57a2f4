{# Other bindings, and other Pythons, give it another name. #}
{% set name = '"_C.so"' if any_python else 'f"_C{EXTENSION_SUFFIXES[0]}"' %}
def find_library() -> Path:
    """Return the path that the compiled library has, or will have."""
{% if cmake %}
    # Installed editable, it lies where wheels are installed, and this file in the repository.
    spec = find_spec("{{ project }}._C")
    if spec and spec.origin:
        return Path(spec.origin).with_name({{ name }})
{% endif %}
    return _PACKAGE / {{ name }}
