"""The package in a fresh interpreter that has not imported torch."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def test_import_in_a_fresh_interpreter():
    found = find_spec("{{ project }}").origin
    place = Path(found).parents[1]  # not always this repository
    subprocess.run(‹[sys.executable, "-c", "import {{ project }}"], cwd=place, check=True›)
