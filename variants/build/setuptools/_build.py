"""What the library was compiled from, and whether that is what lies here. setup.py runs this file, too."""

import hashlib
import json
import os
import runpy
import sys
{{ 'import sysconfig\nfrom importlib.machinery import EXTENSION_SUFFIXES\n'
  if not any_python }}from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).parent
_ROOT = _PACKAGE.parent
# Where the compilers' options are.
_FLAGS = "setup.py"
_SWITCH = "{{ project | upper }}_REBUILD=1"
{% set rebuild = '`python setup.py build_ext --inplace`, or set {_SWITCH}' %}
{% include pathjoin('variants', 'build', 'remedy.py') %}


{% include pathjoin('variants', 'build', 'versions.py') %}


{% include pathjoin('variants', 'build', 'find_library.py') %}


{% include pathjoin('variants', 'build', 'record.py') %}
