{% from pathjoin('variants', 'macros.jinja') import py %}
"""Imports the compiled module and registers its functions as operators of PyTorch."""

from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import torch

from ._library import library_path

_path = library_path()
_loader = ExtensionFileLoader(Path(_path).name.partition(".")[0], _path)
_C = module_from_spec(spec_from_loader(_loader.name, _loader))
_loader.exec_module(_C)

# Registrations last as long as this object.
_library = torch.library.Library("{{ project }}", "DEF")
for _schema, _function in [
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ py('    (', [['"@"', [name ~ pass.schema]], ['_C.@', [pass.name]]], '),') }}
{% endfor %}
{% endfor %}
{% endfor %}
]:
    _library.define(_schema)
    _name = _schema.partition("(")[0]
    _library.impl(_name, _function, "CPU")
    _library.impl(_name, _function, "CUDA")
