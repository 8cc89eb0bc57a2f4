"""The package as others meet it: a fresh interpreter that has not imported torch."""

import subprocess
import sys


def test_import_in_a_fresh_interpreter():
    subprocess.run([sys.executable, "-c", "import my_ops"], check=True)
