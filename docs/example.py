"""Renders two projects, to be looked at: `python docs/example.py` writes them into examples/.

my_ops is of the recommended answers, core. farthest_points is all that there is, full, of an operator of the kernel
`custom`, with its author's edits made at the places marked EDIT.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TEMPLATE / "tests" / "lib"))

from custom_edits import CUSTOM, make_edits
from render import render
from updating import replace

OP = "farthest_points"
THREAD = """element i of `out`, which is at [b, n]. Where threads add to one element, they call
// atomic_add. Compute in compute_t<scalar_t>, which is float for 16-bit dtypes."""
SUMMARY = "element ``i`` of ``points`` for element ``i`` of ``out``, 0 where there is none"
WORDS = [
    (
        "README.md",
        SUMMARY.replace("``", "`"),
        "which points of each cloud are the farthest from those before, of which point 0 is the first",
    ),
    (f"my_ops/ops/{OP}.py", SUMMARY, "which points are the farthest from those before, 0 first"),
    (
        f"my_ops/csrc/{OP}/{OP}.h",
        THREAD,
        "the points of cloud i, one after the other.",
    ),
]


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    core = render(folder / "my_ops", extent=None)
    answers = {"kernel": "custom", "op": OP, "signature": CUSTOM[OP].signature}
    full = render(folder / OP, answers, extent="full")
    make_edits(full, [OP])
    for name, old, new in WORDS:
        replace(full / name, old, new)
    for project in [core, full]:
        # It names the place and the version of the template, and nobody updates an example.
        (project / ".copier-answers.yml").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else TEMPLATE / "examples")
