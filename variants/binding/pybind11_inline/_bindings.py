{% from pathjoin('variants', 'macros.jinja') import py %}
"""Imports the compiled module and registers its functions as operators of PyTorch."""

import warnings
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import torch

from ._library import library_path

# pybind11 gives back the module that it has made before under the same full name, so this has the
# folder in it. A library that is loaded again lies in another one.
_path = Path(library_path())
_loader = ExtensionFileLoader(f"{_path.parent.name}.{_path.stem}", str(_path))
_C = module_from_spec(spec_from_loader(_loader.name, _loader))
_loader.exec_module(_C)

# Operators, and the functions that compute them.
_OPERATORS = [
{% for item in ops %}
{% for pass in item.passes %}
{% for name in pass.registered %}
{{ py('    (', [['"@"', [name ~ pass.schema, pass.name]]], '),') }}
{% endfor %}
{% endfor %}
{% endfor %}
]

# Registrations last as long as this object. A reload runs this file again, and only replaces kernels.
if "_library" not in globals():
    _library = torch.library.Library("{{ project }}", "DEF")
    for _schema, _ in _OPERATORS:
        _library.define(_schema)

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Warning only once for all operators")  # of what was replaced
    for _schema, _name in _OPERATORS:
        _function = getattr(_C, f"{{ project }}::{_name}")
        for _key in ["CPU", "CUDA"]:
            _library.impl(_schema.partition("(")[0], _function, _key, allow_override=True)
