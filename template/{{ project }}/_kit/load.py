"""Loads the library and, if the project has them, the rules for torch.vmap and autocast.

It also gives PyTorch's compiler caches a key that changes with the operators' sources.

Shared code of the template: do not edit.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

from .._project import AUTOGRAD, BUILD, EXTENT
from .build_log import BuildError

PACKAGE = __name__.partition("._kit")[0]

try:
    # First: it loads the libraries that the compiled library links to.
    import torch

    from . import bindings  # noqa: F401
except BuildError:  # its message needs no hint
    raise
except Exception as error:
    if EXTENT == "core" and BUILD != "nvrtc":
        raise
    raise ImportError(f"{error} (`python -m {PACKAGE}.doctor` has details)") from error


def tag_caches() -> None:
    """Make the keys of the compiler's caches depend on the operators' sources.

    PyTorch 2.13 identifies an operator only by its name. After an edit of `backward`, a program would
    silently use the earlier gradient from the disk.
    """
    package = Path(__file__).parents[1]
    files = [*package.glob("ops/*.py")]
    if AUTOGRAD == "cpp":  # a wheel has only the library
        files += [*package.glob("csrc/*/*.cpp")] or [*package.glob("*.so")]
    digest = crc32(b"".join(path.read_bytes() for path in sorted(files)))
    config = torch.compiler.config
    others = [x for x in config.cache_key_tag.split(",") if x and not x.startswith(f"{PACKAGE}-")]
    config.cache_key_tag = ",".join(sorted([*others, f"{PACKAGE}-{digest:08x}"]))


tag_caches()

# Files that only some projects have.
for _name in (f"{PACKAGE}._vmap", f"{PACKAGE}._kit.autocast"):
    if find_spec(_name):
        import_module(_name)
