"""Renders this checkout as a user would: `python tools/render_checkout.py FOLDER [question=answer ...]`.

`python tools/render_checkout.py FOLDER --all` renders every variant, each into a folder of its own, a project with all
kernels for each binding and autograd, and two projects whose math calls every function that it may call. `--edits` renders the
kernels that people write, as FOLDER/custom and FOLDER/rows, those of each other binding beside them, and kernels that cheat, as
FOLDER/cheats; of each operator it prints the files that its author touches, the lines that come and go in them, and how many of these are neither math nor
reference nor arguments of the tests.
"""

from __future__ import annotations

import argparse
import sys
from difflib import ndiff
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

import custom_edits
import row_edits
from cases import OTHER_KERNELS
from cheats import render_cheats
from math_functions import ANSWERS, call_all_of_them
from render import render

from variants import DISTINCT, VARIANTS

EDITS = [
    ("custom", custom_edits, {}),
    ("custom-stable", custom_edits, {"binding": "torch_stable"}),
    ("custom-pybind11", custom_edits, {"binding": "pybind11"}),
    ("custom-nvrtc", custom_edits, {"build": "nvrtc"}),
    ("rows", row_edits, {}),
    ("rows-stable", row_edits, {"binding": "torch_stable"}),
    ("rows-pybind11", row_edits, {"binding": "pybind11"}),
    ("rows-nvrtc", row_edits, {"build": "nvrtc"}),
]

# As they start, beside these: a list of results, and a product that is written.
STARTED = """
custom: parts(Tensor x: [N, D], Tensor? weight: [D]) -> [Tensor out: [N, D], Tensor: float32[N], Tensor: int64[2]]
custom: chosen(Tensor x: [N], Tensor(a!)? y: [N], int k) -> [Tensor: [N], Tensor: int64[k]]
matmul: into(Tensor(a!) c, Tensor a, Tensor b) -> ()"""


def own_files(project: Path, name: str) -> dict[Path, list[str]]:
    """Return the lines of an operator's own files."""
    folders = project.glob(f"my_ops/csrc/{name}/*")
    paths = [*folders, *project.glob(f"**/{name}.py"), *project.glob(f"*/*_{name}.py")]
    return {path: path.read_text().splitlines() for path in paths}


def difference(before: dict[Path, list[str]], after: dict[Path, list[str]]) -> str:
    """Say how many files differ, and by how many lines."""
    compared = [list(ndiff(lines, after.get(path, []))) for path, lines in before.items()]
    signs = [line[0] for lines in compared for line in lines]
    touched = sum(any(line[0] in "+-" for line in lines) for lines in compared)
    return f"{touched} files, {signs.count('+')} / {signs.count('-')} lines"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the project, or a folder for each, goes")
    parser.add_argument("answers", nargs="*", metavar="question=answer")
    parser.add_argument("--all", action="store_true", help="render every variant")
    parser.add_argument("--edits", action="store_true", help="render the kernels of people")
    options = parser.parse_args()
    folder = options.folder
    for answer in options.answers:
        if "=" not in answer:
            parser.error(f"{answer} is no answer: write question=answer, as in kernel=rowwise")
    if options.all:
        for variant in VARIANTS:
            print(render(folder / str(variant), variant.answers))
        for variant in DISTINCT:
            name = f"kernels-{variant.binding or variant.build}-{variant.autograd}"
            print(render(folder / name, variant.answers | {"more_ops": OTHER_KERNELS}))
        for build in ["setuptools", "nvrtc"]:
            project = render(folder / f"{build}-functions", ANSWERS | {"build": build})
            call_all_of_them(project)
            print(project)
    elif options.edits:
        for name, edits, answers in EDITS:
            project = render(folder / name, answers | {"more_ops": edits.more_ops() + STARTED})
            names = custom_edits.CUSTOM if edits is custom_edits else row_edits.ROWS
            before = {op: own_files(project, op) for op in names}
            beside = edits.make_edits(project)
            print(project)
            for op in names:
                what = difference(before[op], own_files(project, op))
                print(f"  {op}: {what}, {beside[op]} of them beside the math")
        print(render_cheats(folder / "cheats"))
    else:
        answers = dict(answer.split("=", 1) for answer in options.answers)
        print(render(folder, answers, extent=None))
