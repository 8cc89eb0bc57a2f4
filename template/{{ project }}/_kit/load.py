"""Loads the library and, if the project has them, the rules for torch.vmap and autocast.

Shared code of the template: do not edit.
"""

from importlib import import_module
from importlib.util import find_spec

from .._project import BUILD, EXTENT
from .build_log import BuildError

PACKAGE = __name__.partition("._kit")[0]

try:
    # First: it loads the libraries that the compiled library links to.
    import torch  # noqa: F401

    from . import bindings  # noqa: F401
except BuildError:  # its message needs no hint
    raise
except Exception as error:
    if EXTENT == "core" and BUILD != "nvrtc":
        raise
    raise ImportError(f"{error} (`python -m {PACKAGE}.doctor` has details)") from error

# Files that only some projects have.
for _name in (f"{PACKAGE}._vmap", f"{PACKAGE}._kit.autocast"):
    if find_spec(_name):
        import_module(_name)
