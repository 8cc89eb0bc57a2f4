"""What the library was compiled from, and whether that is what lies here. CMake runs this file, too."""

import hashlib
import json
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).parents[1]
# Where the compilers' options are.
_FLAGS = "CMakeLists.txt"
{% set rebuild = 'pip install --no-build-isolation -e .' %}
{% include pathjoin('variants', 'build', 'remedy.py') %}


{% include pathjoin('variants', 'build', 'versions.py') %}


{% include pathjoin('variants', 'build', 'find_library.py') %}


{% include pathjoin('variants', 'build', 'record.py') %}


def _main(step: str, build: str, library_or_cuda: str = "") -> None:
    """Do what has to be done before the compiler runs, or when the library is where it belongs."""
    taken = Path(build, "record.json")
    if step == "prepare":
        prepare(Path(build, "CMakeFiles"), take_record(cuda=False))
    elif step == "take":
        _write(taken, take_record(cuda=bool(library_or_cuda)))
    else:
        write_record(Path(library_or_cuda), _read(taken))


{% if serves == 'one_pytorch' %}
def dynamic_metadata(settings: dict, project: dict) -> dict:
    """Return what a wheel asks for: the PyTorch that it is compiled for. scikit-build-core calls it."""
    return {"dependencies": [f"torch=={_pytorch()['__version__'].partition('+')[0]}"]}


def dynamic_wheel(settings: dict) -> dict:
    """Say that a wheel may ask for another one than the source distribution does."""
    return {"dependencies": True}


{% endif %}
if __name__ == "__main__":
    _main(*sys.argv[1:])
