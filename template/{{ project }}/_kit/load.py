"""Loads the library and, if the project has them, the rules for torch.vmap and autocast.

It also keeps PyTorch's compiler from using code that it compiled for another state of the operators.

Shared code of the template: do not edit.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

from .._project import BUILD, EXTENT
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


def _tag_caches() -> None:
    """Let the compiler's caches know the text of the operators.

    By themselves, they know an operator only by its name (PyTorch 2.15). After an edit of `backward`,
    a program would get its earlier gradient from the disk, without a message.
    """
    package = Path(__file__).parents[1]
    files = sorted([*package.glob("ops/*.py"), *package.glob("csrc/*/*.cpp")])
    digest = crc32(b"".join(path.read_bytes() for path in files))
    config = torch.compiler.config
    tags = {*config.cache_key_tag.split(","), f"{PACKAGE}-{digest:08x}"} - {""}
    config.cache_key_tag = ",".join(sorted(tags))


_tag_caches()

# Files that only some projects have.
for _name in (f"{PACKAGE}._vmap", f"{PACKAGE}._kit.autocast"):
    if find_spec(_name):
        import_module(_name)
