"""Renders two projects to read: `python docs/example.py` writes their owners' files into examples/.

my_ops has the recommended answers and is core. farthest_points is full and has an operator of the kernel `custom`, with
its author's edits at the places marked EDIT. The kit's files are left out: they are in template/, and equal in each project.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TEMPLATE / "tests" / "lib"))

from custom_edits import CUSTOM, make_edits
from render import files, is_of_kit, render
from updating import replace

OP = "farthest_points"
THREAD = """element i of `out`, which is at [b, n]. If several threads add to one element, call
// atomic_add. Compute in opmath_t<scalar_t>, which is float for 16-bit dtypes."""
SUMMARY = "a placeholder: the first elements of ``points``, padded with zeros"
WORDS = [
    (
        "README.md",
        SUMMARY.replace("``", "`"),
        "which points of each cloud are farthest from the earlier ones, from point 0 on",
    ),
    (
        f"my_ops/ops/{OP}.py",
        SUMMARY,
        "which points are farthest from the earlier ones, from point 0 on",
    ),
    (
        f"my_ops/csrc/{OP}/{OP}.h",
        THREAD,
        "the points of cloud i, one after the other.",
    ),
]
README = """\
# Two rendered projects

- [my_ops](my_ops): the recommended answers, `extent=core`, as `copier copy` writes them.
- [farthest_points](farthest_points): `extent=full` with an operator of the kernel `custom`, after its author's edits.

Only the owner's files are here. A project also contains the kit: `*/csrc/kit/`, `tests/*_suite/`, `tests/conftest.py`,
`benchmarks/common.py` and the modules of the package that the project's README lists. They are the same in each project and are in
[template/](../template). `python tools/render_checkout.py FOLDER` renders a whole project.
"""


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    core = render(folder / "my_ops", extent=None)
    answers = {"kernel": "custom", "op": OP, "signature": CUSTOM[OP].signature}
    full = render(folder / OP, answers, extent="full")
    make_edits(full, [OP])
    for name, old, new in WORDS:
        replace(full / name, old, new)
    for project in [core, full]:
        # It has the address and the version of the template, and nobody updates an example.
        (project / ".copier-answers.yml").unlink()
        for name in files(project):
            if is_of_kit(project / name):
                (project / name).unlink()
        for path in sorted(project.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
    (folder / "README.md").write_text(README)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else TEMPLATE / "examples")
