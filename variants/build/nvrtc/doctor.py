{% set mends_import = '"pip install -e ."' %}
"""Says what {{ project }} needs to run, what of it is wrong here, and what mends it.

It runs without PyTorch: `python -m {{ project }}.doctor`
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.name


{% include pathjoin('variants', 'build', 'doctor', 'findings.py') %}


{% include pathjoin('variants', 'build', 'doctor', 'imports.py') %}


COMPILE = """
from {0}._bindings import OPS
from {0}._library import compile_cubin
for op in OPS:
    compile_cubin(op, "sm_90")
"""


def nvrtc() -> str:
    """Compile the kernels, for which no GPU is needed."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        return "not needed: PyTorch has no CUDA, and operators run in plain PyTorch"
    command = [sys.executable, "-c", COMPILE.format(PACKAGE)]
    status, text = ran(*command, seconds=3600)
    if status != 0:
        lines = text.strip().splitlines()
        errors = [line for line in lines if "error:" in line]  # as NVRTC marks them
        reasons = [*errors, *lines[-1:], f"it ended with status {status}"]
        remedy = "look at that line" if errors else INSTALL
        raise Finding(f"the kernels do not compile: {reasons[0]}", remedy)
    return f"NVRTC of CUDA {cuda} compiles the kernels"


INSTALL = "pip install 'cuda-core>=1.2,<2'"
LAST = [imports, nvrtc]
CHECKS = [pytorch, *LAST]


{% include pathjoin('variants', 'build', 'doctor', 'report.py') %}


if __name__ == "__main__":
    sys.exit(report())
