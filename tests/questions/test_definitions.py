"""How many operators are accepted as their libraries define them. Five seconds."""

import subprocess
import sys

from macros import ROOT

PAGE = ROOT / "docs/measurements/definitions.md"


def test_page_has_the_shares_of_today():
    """The tool stops if a signature has other words than its library."""
    command = [sys.executable, "-c", "import definitions; print(definitions.tables(), end='')"]
    shares = subprocess.check_output(command, cwd=ROOT / "tools", text=True)
    assert shares.count("| **together** |") >= 1
    assert PAGE.read_text().endswith(shares), (
        "run python tools/definitions.py --write and look at git diff"
    )
