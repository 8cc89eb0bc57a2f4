"""What the library was compiled from, and whether that is what lies here. setup.py runs this file, too."""

import hashlib
import json
import os
{% if full %}
import runpy
import subprocess
import sys
{% endif %}
from contextlib import suppress
{{ 'from importlib.machinery import EXTENSION_SUFFIXES\n' if not any_python
  }}{{ 'from importlib.util import find_spec\n' if full }}from pathlib import Path
from typing import Any
{% if not full %}

import torch
{% endif %}

_PACKAGE = Path(__file__).parent
_ROOT = _PACKAGE.parent
# Where the compilers' options are.
_FLAGS = "setup.py"
{% if full %}
_SWITCH = "{{ project | upper }}_REBUILD"
{% endif %}
{% set rebuild = '`python setup.py build_ext --inplace`' ~ (', or set {_SWITCH}=1' if full) %}
{% include pathjoin('variants', 'build', 'remedy.py') %}


{% if full %}
{% include pathjoin('variants', 'build', 'versions.py') %}


{% endif %}
{% include pathjoin('variants', 'build', 'find_library.py') %}


{% include pathjoin('variants', 'build', 'record.py') %}


def library_path() -> str:
    """Return the path of the library; refuse one that is not of the sources here, or not for this PyTorch."""
{% if full %}
    from .doctor import asked_for  # not at the top, since setup.py runs this file as it is

    # With {{ project | upper }}_REBUILD=1 in the environment, what was edited in csrc/ is compiled first.
    if asked_for(_SWITCH):
        _rebuild()
{% endif %}
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())
{% if full %}


def _rebuild() -> None:
    """Compile what was edited since the library was made, one process at a time."""
    from filelock import FileLock

    from ._build_log import BuildError

    if not (_ROOT / _FLAGS).exists():
        raise ImportError(f"{_SWITCH}=1, but there is no {_FLAGS} next to {_PACKAGE}; unset it")
    (_ROOT / "build").mkdir(exist_ok=True)
    with FileLock(_ROOT / "build" / "rebuild.lock"):
        if reason := stale():
            said = reason.rpartition("; ")[0]
            print(f"{_PACKAGE.name}: {said}, and is compiled", file=sys.stderr)
            command = [sys.executable, _FLAGS, "build_ext", "--inplace"]
            build = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=False)
            if build.returncode != 0:  # setup.py ends with what there is to mend
                raise BuildError(build.stdout.strip() or f"{_FLAGS} fails, see above")
{% endif %}
