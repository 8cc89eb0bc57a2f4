{% set remedy = 'call reload() of _library, or start Python anew' if inline
  else 'start Python anew, which compiles it' %}
"""Where the library is, what it was compiled from, and whether that is what lies here."""

import hashlib
import json
import os
import runpy
import stat
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from ._build_log import drop_warnings
from .doctor import asked_for

_CSRC = Path(__file__).parent / "csrc"
_ROOT = Path(__file__).parents[1]
# Where the compilers' options are.
_FLAGS = "{{ project }}/_library.py"
REMEDY = "{{ remedy }}"


{% include pathjoin('variants', 'build', 'versions.py') %}


def with_cuda() -> bool:
    """Whether to compile the CUDA code: yes, if PyTorch has CUDA.

    A GPU is not needed to compile, so none is asked for.
    """
    return not asked_for("CPU_ONLY") and torch.version.cuda is not None


{% include pathjoin('variants', 'build', 'architectures.py') %}


{% include pathjoin('variants', 'build', 'build_directory.py') %}


def find_library() -> Path:
    """Return the path that the compiled library has, or will have."""
    name = "{{ project }}_C.so"
    return build_directory(with_cuda()) / {{ '"operators" / ' if inline }}name


{% include pathjoin('variants', 'build', 'trust.py') %}


def refuse_others(*paths: Path) -> None:
    """Refuse files and folders that another user may have written: a library runs as this user."""
    for path in paths:
        if reason := written_by_others(path.lstat(), path.stat()):
            raise ImportError(
                f"{{ project }}: only this user, root or the owner of {{ project }} may write to {path}, but it "
                f"{reason}; delete it, or set TORCH_EXTENSIONS_DIR to a folder of yours"
            )


{% include pathjoin('variants', 'build', 'record.py') %}
