def _load_operators(name: str, directory: Path, cuda: bool, cpp: list[str], **options) -> None:
    # PyTorch writes a pybind11 module of these.
    functions = [
{% for item in ops %}
{% for pass in item.passes %}
        "{{ project }}::{{ pass.name }}",
{% endfor %}
{% endfor %}
    ]
    _load_inline(name, directory, cuda, cpp, functions=functions, **options)
