"""What the library was compiled from, and whether that is what lies here. setup.py runs this file, too."""

import hashlib
import json
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).parents[1]
# Where the compilers' options are.
_FLAGS = "setup.py"
# What mends a library that does not fit: in a repository, and where a wheel is installed.
_REBUILD = "run `python setup.py build_ext --inplace`"
_REINSTALL = "install that PyTorch, or the package that is for this one"
REMEDY = _REBUILD if (_ROOT / "pyproject.toml").exists() else _REINSTALL


{% include pathjoin('variants', 'build', 'versions.py') %}


{% include pathjoin('variants', 'build', 'find_library.py') %}


{% include pathjoin('variants', 'build', 'record.py') %}
