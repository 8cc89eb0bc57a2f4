"""The package as others meet it: a fresh interpreter that has not imported torch."""

import subprocess
import sys
from pathlib import Path

import my_ops


def test_import_in_a_fresh_interpreter():
    installed = Path(my_ops.__file__).parents[1]  # which this repository need not be
    subprocess.run([sys.executable, "-c", "import my_ops"], cwd=installed, check=True)
