"""Says what {{ project }} needs to be compiled and to run, what of it is wrong here, and what mends it.

python -m {{ project }}.doctor           what is here; the exit status is 1 if something is wrong
python -m {{ project }}.doctor --nvcc    what pip has to install for the nvcc of PyTorch's CUDA

It runs without PyTorch and without the library.
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
{{ 'import shlex\n' if 'shlex' in from_nothing }}import shutil
import struct
import subprocess
import sys
{{ 'import sysconfig\n' if registration == 'pybind11' }}from contextlib import suppress
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.name


{% include pathjoin('variants', 'build', 'doctor', 'findings.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'toolchain.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'imports.py') %}


# ---- What else may be wrong


{% include pathjoin('variants', 'build', 'doctor', 'memory.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'architectures.py') %}
