"""Every ordered pair of variants: an update turns a project of the first into one of the second.

A project has two operators. `muladd` is as rendered, as is all else, and an update makes it exactly what
a fresh project of the second variant has. `gate` is edited, and keeps its edits or is in a conflict that
git lists.

Copier merges file by file: what it does to an edited file depends on three texts, as rendered for the
first variant, with the edits, and as rendered for the second. Hundreds of pairs share a few dozen of
these. The updates made have each of them, so that what happens to edits is shown for all pairs, and lead from and
to each variant: some forty. PAIRS=100 adds further ones up to that number, the same each time, and PAIRS=2000 all.
"""

from __future__ import annotations

import os
import random
import time
from functools import cached_property
from itertools import permutations
from pathlib import Path

import pytest
from render import files, render
from updating import copy_template, git, start, update_as_told

from variants import VARIANTS, Variant

PAIRS = int(os.environ.get("PAIRS", "0"))
MORE = {"more_ops": "gate(Tensor x, Tensor y, float alpha)"}

# What the user changed. The gradient is there for some answers only, and so is a build's file.
EDITS = {
    "my_ops/csrc/gate/gate.h": {
        "out = x * y + alpha;": "out = x * y - alpha;",
        "grad_x = grad_out * y;": "grad_x = grad_out * y * 2;",
    },
    "my_ops/csrc/gate/gate.cpp": {"Tensor gate(": "/* mine */ Tensor gate("},
    "my_ops/csrc/gate/gate_cpu.cpp": {
        "tile.store(out, out_values);": "tile.store(out, out_values);  // mine",
    },
    "my_ops/csrc/gate/gate_cuda.cu": {
        "tile.store(out, out_values);": "tile.store(out, out_values);  // mine",
    },
    "my_ops/ops/gate.py": {
        "    return x * y + alpha": "    return x * y - alpha",
        "return grad_x, grad_y, None": "return grad_x * 2, grad_y, None",
    },
    "setup.py": {'"cxx": ["-O3"': '"cxx": ["-O2"'},
    "CMakeLists.txt": {
        "cmake_minimum_required(VERSION 3.20)": "cmake_minimum_required(VERSION 3.26)"
    },
    # No update touches it.
    "examples/edit_and_reload.ipynb": {"min_run_time=0.5": "min_run_time=0.9"},
}


def edits_of(rendered: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the edits that have a place in a project."""
    return {
        name: {old: new for old, new in edits.items() if old in rendered[name]}
        for name, edits in EDITS.items()
        if name in rendered
    }


def edit(text: str, edits: dict[str, str]) -> str:
    for old, new in edits.items():
        assert text.count(old) == 1, f"{old!r} is in the text {text.count(old)} times"
        text = text.replace(old, new)
    return text


class Projects:
    """A project of each variant as rendered, and the same edited and committed."""

    def __init__(self, folder: Path):
        self.folder = folder
        template = copy_template(folder / "template")
        start(template)
        self.rendered: dict[Variant, dict[str, str]] = {}
        self.with_cpp = {
            variant: files(
                render(
                    folder / "cpp" / str(variant),
                    variant.answers | MORE | {"cpp": True},
                    template=template,
                )
            )
            for variant in VARIANTS
            if not variant.compiled
        }
        for variant in VARIANTS:
            project = self.project(variant)
            render(project, variant.answers | MORE, template=template)
            self.rendered[variant] = rendered = files(project)
            for name, edits in edits_of(rendered).items():
                (project / name).write_text(edit(rendered[name], edits))
            start(project)
            git(project, "tag", "edited")
        made = [edits_of(rendered) for rendered in self.rendered.values()]
        for name, edits in EDITS.items():
            for old in edits:
                assert any(old in one.get(name, {}) for one in made), f"{old!r} is in no {name}"
        self.pairs = list(permutations(VARIANTS, 2))
        random.Random(0).shuffle(self.pairs)

    def project(self, variant: Variant) -> Path:
        return self.folder / str(variant)

    def merges(self, pair: tuple[Variant, Variant]) -> set[tuple[str | None, ...]]:
        """The files that an update between the pair merges, as rendered for both."""
        first, second = (self.rendered[variant] for variant in pair)
        return {(name, first[name], second.get(name)) for name in edits_of(first)}

    @cached_property
    def chosen(self) -> list[tuple[Variant, Variant]]:
        """Pairs that together have all merges, from and to each variant, and further pairs up to PAIRS.

        Each pair has the most merges that earlier pairs lack.
        """
        shown = {
            pair: self.merges(pair) | {("from", pair[0]), ("to", pair[1])} for pair in self.pairs
        }
        found, missing = [], set().union(*shown.values())
        while missing:
            found.append(max(shown, key=lambda pair: len(shown[pair] & missing)))
            missing -= shown.pop(found[-1])
        return [*found, *shown][: max(PAIRS, len(found))]


@pytest.fixture(scope="session")
def projects(tmp_path_factory):
    return Projects(tmp_path_factory.mktemp("projects"))


def test_updates_to_other_variants(variant, projects, summary):
    project = projects.project(variant)
    pairs = projects.chosen
    counts = dict.fromkeys(["updates", "edits", "conflicts"], 0)
    begin = time.monotonic()
    for first, second in pairs:
        if first != variant:
            continue
        git(project, "reset", "--hard", "edited")
        git(project, "clean", "-fd")
        fresh = projects.rendered[second]
        if first.compiled and not second.compiled:  # what only a C++ compiler reads stays
            fresh = projects.with_cpp[second]
        update_as_told(project, second.answers)
        after = files(project)
        # Of a fresh project, that is not a question.
        answers = after[".copier-answers.yml"].replace("cpp: true\n", "")
        after[".copier-answers.yml"] = answers
        conflicts = {line.split("\t")[1] for line in git(project, "ls-files", "-u").splitlines()}
        pair = f"{first} to {second}"
        assert after.keys() == fresh.keys(), pair
        made = edits_of(projects.rendered[first])
        assert conflicts <= made.keys(), pair
        for name in after:
            edits = made.get(name, {})
            if name in conflicts:
                assert all(new in after[name] for new in edits.values()), f"{pair}: {name}"
            else:
                assert after[name] == edit(fresh[name], edits), f"{pair}: {name}"
        counts["updates"] += 1
        counts["edits"] += sum(len(made[name]) for name in made.keys() & after.keys())
        counts["conflicts"] += len(conflicts)
    assert counts["updates"]
    seconds = (time.monotonic() - begin) / counts["updates"]
    parts = ", ".join(f"{number} {what}" for what, number in counts.items())
    summary(f"{len(pairs)} of {len(projects.pairs)} ordered pairs of variants, from each variant")(
        f"{variant!s:34} {parts}, losses = 0, {seconds:.1f} s an update"
    )
