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
{% set rebuild = 'python setup.py build_ext --inplace' %}
{% include pathjoin('variants', 'build', 'remedy.py') %}


{% include pathjoin('variants', 'build', 'versions.py') %}


{% include pathjoin('variants', 'build', 'find_library.py') %}


{% include pathjoin('variants', 'build', 'record.py') %}
