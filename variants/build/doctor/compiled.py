"""Says what {{ project }} needs to be compiled and to run, what of it is wrong here, and what mends it.

python -m {{ project }}.doctor                what is here; the exit status is 1 if something is wrong
python -m {{ project }}.doctor --nvcc         what pip has to install for the nvcc of PyTorch's CUDA
python -m {{ project }}.doctor --cuda-home    the CUDA_HOME of that nvcc

It runs without PyTorch, without the library, and with a Python that is too old for the rest.
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parent.name


{% include pathjoin('variants', 'build', 'doctor', 'findings.py') %}


# ---- What it is compiled with


{% include pathjoin('variants', 'build', 'doctor', 'toolchain.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'imports.py') %}
