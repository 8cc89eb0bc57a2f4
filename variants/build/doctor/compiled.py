"""Says what {{ project }} needs to be compiled{{ ' and to run, what of it is wrong here' if full }}, and what mends it.

{% if full %}
python -m {{ project }}.doctor           what is here; the exit status is 1 if something is wrong
{% endif %}
python -m {{ project }}.doctor --nvcc    what pip has to install for the nvcc of PyTorch's CUDA

It runs without PyTorch and without the library.
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
{{ 'import shlex\n' if full and 'shlex' in from_nothing
  }}{{ 'import shutil\n' if full or not cmake }}{{ 'import struct\n' if full }}import subprocess
import sys
{{ 'import sysconfig\n' if registration == 'pybind11'
  }}{{ 'from contextlib import suppress\n' if full }}from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.name


{% include pathjoin('variants', 'build', 'doctor', 'findings.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'toolchain.py') %}
{% if full %}


{% include pathjoin('variants', 'build', 'doctor', 'imports.py') %}


# ---- What else may be wrong


{% include pathjoin('variants', 'build', 'doctor', 'memory.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'architectures.py') %}
{% endif %}
