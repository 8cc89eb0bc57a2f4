"""Imports the compiled module, which registers the operators with PyTorch."""

from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from ._build_log import loading
from ._library import library_path

{% if inline %}
# pybind11 gives back the module that it has made before under the same full name, so this has the
# folder in it. A library that is loaded again lies in another one.
_path = Path(library_path())
_loader = ExtensionFileLoader(f"{_path.parent.name}.{_path.stem}", str(_path))
{% else %}
_path = library_path()
_loader = ExtensionFileLoader(Path(_path).name.partition(".")[0], _path)
{% endif %}
_spec = spec_from_loader(_loader.name, _loader)
assert _spec is not None
with loading():
    _C = module_from_spec(_spec)
    _loader.exec_module(_C)
