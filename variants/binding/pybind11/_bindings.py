"""Imports the compiled module, which registers the operators with PyTorch."""

from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from ._library import library_path

_path = library_path()
_loader = ExtensionFileLoader(Path(_path).name.partition(".")[0], _path)
_C = module_from_spec(spec_from_loader(_loader.name, _loader))
_loader.exec_module(_C)
