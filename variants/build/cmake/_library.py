"""What the library was compiled from, and whether that is what lies here. CMake runs this file, too."""

import hashlib
import json
import os
import runpy
import sys
{{ 'import sysconfig\n' if not any_python }}from contextlib import suppress
{{ 'from importlib.machinery import EXTENSION_SUFFIXES\n'
  if not any_python }}from importlib.util import find_spec
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent
_ROOT = _PACKAGE.parent
# Where the compilers' options are.
_FLAGS = "CMakeLists.txt"
{% set rebuild = '`pip install --no-build-isolation -e .`' %}
{% include pathjoin('variants', 'build', 'remedy.py') %}


{% include pathjoin('variants', 'build', 'versions.py') %}


{% include pathjoin('variants', 'build', 'find_library.py') %}


{% include pathjoin('variants', 'build', 'record.py') %}


def library_path() -> str:
    """Return the path of the library; refuse one that is not of the sources here, or not for this PyTorch."""
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())


def _main(step: str, build: str, library_or_cuda: str = "") -> None:
    """Do what has to be done before the compiler runs, or when the library is where it belongs."""
    taken = Path(build, "record.json")
    if step == "prepare":
        prepare(Path(build, "CMakeFiles"), take_record(cuda=False))
    elif step == "finish":
        finish(Path(build, "CMakeFiles"), _read(taken))
    elif step == "take":
        taken.write_text(json.dumps(take_record(cuda=bool(library_or_cuda))))
    else:
        library = Path(library_or_cuda)
        write_record(library, _read(taken))
        for other in _PACKAGE.glob("_C.*so"):  # of setup.py, when that was the build
            if not other.samefile(library):
                other.unlink()


{% if serves == 'one_pytorch' %}
def dynamic_metadata(settings: dict[str, Any], project: dict[str, Any]) -> dict[str, Any]:
    """Return what a wheel asks for: the PyTorch that it is compiled for. scikit-build-core calls it."""
    return {"dependencies": [f"torch=={_pytorch()['__version__'].partition('+')[0]}"]}


def dynamic_wheel(settings: dict[str, Any]) -> dict[str, Any]:
    """Say that a wheel may ask for another one than the source distribution does."""
    return {"dependencies": True}


{% endif %}
if __name__ == "__main__":
    _main(*sys.argv[1:])
