"""Loads the compiled library, which registers the operators with PyTorch.

Shared code of the template: do not edit.
"""

from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import torch

from .._library import library_path
from .._project import BINDING, BUILD
from .build_log import loading

_path = library_path()
with loading():
    if BINDING == "pybind11":
        _name = Path(_path).name.partition(".")[0]
        if BUILD == "inline":
            # pybind11 returns the earlier module if it knows the full name. A reloaded library is
            # in another folder, so a name that contains the folder is a new name.
            _name = f"{Path(_path).parent.name}.{_name}"
        _loader = ExtensionFileLoader(_name, str(_path))
        _spec = spec_from_loader(_name, _loader)
        assert _spec is not None
        _C = module_from_spec(_spec)
        _loader.exec_module(_C)
    else:
        # Two copies of a package may be in one process, such as two versions of a kernel from
        # the Hugging Face Hub. A second definition of an operator is an error or, with the stable
        # ABI, a crash.
        _name = Path(__file__).parents[1].name
        _namespace = vars(getattr(torch.ops, _name))
        _other = _namespace.get("_loaded_library", _path)
        if BUILD != "inline" and _other != _path:
            raise ImportError(
                f"{_path} cannot define torch.ops.{_name}, which {_other} defined in this process"
            )
        torch.ops.load_library(_path)
        _namespace["_loaded_library"] = _path
