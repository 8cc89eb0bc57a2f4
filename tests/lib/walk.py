"""A project over time: random edits, changed answers and updates. No edit may be lost.

WALK_STEPS is the number of steps (default 200); WALK_SEED repeats a walk.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from render import files, render
from updating import COMMENTS, OLDER, commit, copy_template, git, obey, replace, start, update

from variants import VARIANTS

STEPS = int(os.environ.get("WALK_STEPS", "200"))
SEED = int(os.environ.get("WALK_SEED") or random.randrange(2**32))
# What an operator's author makes of its signature: an argument more, one renamed, one that may be absent, results.
SIGNATURES = [
    "Tensor a, Tensor b, float c",
    "Tensor a, Tensor b, float c, int n",
    "Tensor a, Tensor other, float c",
    "Tensor a, Tensor b, Tensor? mask=None, *, float c=1.0",
    "Tensor a, Tensor b, float c -> (Tensor out, Tensor twice)",
]
# Signatures by kernel; the rest of the answer changes too.
OPERATORS = {
    "elementwise": [signature.replace("Tensor a", "Tensor x") for signature in SIGNATURES],
    "rowwise": ["Tensor x, Tensor weight", "Tensor x, Tensor? weight=None, *, float eps=1e-6"],
    "matmul": ["Tensor a, Tensor b", "Tensor a, Tensor b, Tensor bias, float scale"],
    "image": ["Tensor image", "Tensor image, float gain"],
    "volume": ["Tensor volume, float? low=None", "Tensor volume, float level, float width"],
}
PACKAGES = ["my_ops", "other_ops", "kernels_of_mine"]


class Walk:
    """A template that changes, a project of it, and all edits of its user."""

    def __init__(self, folder: Path, builds: bool = False):
        """`builds` is whether the project has to work after each conflict."""
        self.builds = builds
        self.random = random.Random(SEED)
        self.template = copy_template(folder / "template")
        start(self.template)
        self.older = set()
        self.release()
        variant = self.random.choice(VARIANTS)
        self.answers = variant.answers | {
            "project": "my_ops",
            "op": "muladd",
            "signature": SIGNATURES[0],
            "more_ops": "",
            "license": "MIT",
        }
        self.project = render(
            folder / "project", self.answers, template=self.template, vcs_ref="HEAD"
        )
        start(self.project)
        self.marks: dict[str, set[str]] = {}
        self.deleted: set[str] = set()
        self.counts = dict.fromkeys(["edits", "updates", "refusals", "conflicts"], 0)

    @property
    def package(self) -> str:
        return self.answers["project"]

    # ---- The template's side

    def release(self) -> None:
        """Commit a state in which some of the files are written as they once were."""
        for name in self.random.sample(sorted(OLDER), 3):
            new, old = OLDER[name]
            replace(self.template / name, *((old, new) if name in self.older else (new, old)))
            self.older ^= {name}
        commit(self.template, "release")

    # ---- The user's side

    def edit(self) -> None:
        """Change a line, or insert one, in a file of the user's; or add a file."""
        mark = f"mine-{self.counts['edits']}"
        self.counts["edits"] += 1
        if self.random.random() < 0.15:
            name = f"{self.package}/{mark.replace('-', '_')}.py"
            (self.project / name).write_text(f'MARK = "{mark}"\n')
            self.marks[name] = {mark}
            return
        names = [
            name
            for name in files(self.project)
            if re.match(
                rf"({self.package}/(csrc/(?!kit/)\w+|ops)|tests|benchmarks|examples)/", name
            )
            or name in ("README.md", "LICENSE", "pyproject.toml", "setup.py", "CMakeLists.txt")
        ]
        name = self.random.choice(names)
        path = self.project / name
        comment = self.comment(name, mark)
        self.marks.setdefault(name, set()).add(mark)
        if path.suffix == ".ipynb":
            notebook = json.loads(path.read_text())
            self.random.choice(notebook["cells"])["source"].append(f"\n# {mark}")
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
            return
        lines = path.read_text().split("\n")
        if self.random.random() < 0.5:
            position = self.random.randrange(len(lines))
            lines.insert(position, comment)
        else:
            # Rather the formula and the gradient than any line.
            formulas = [
                i for i, line in enumerate(lines) if re.search(r"out = |return |grad", line)
            ]
            position = self.random.choice(formulas or range(len(lines)))
            lines[position] += f"  {comment}"
        path.write_text("\n".join(lines))

    def comment(self, name: str, mark: str) -> str:
        return f"{COMMENTS.get(Path(name).suffix, '')} {mark}".strip()

    def delete(self) -> None:
        """Delete a file that the package does without."""
        # An update that leaves a notebook alone brings it back where it is missing, and answers that had no
        # place for a model to train, or core for DTensors or an example, bring that back with the first that have.
        names = [name for name in files(self.project) if re.match("benchm|exam|tests/test_", name)]
        # The tests of the first operator stay: test_build_ops.py runs them.
        kept = (
            ".ipynb",
            "quickstart.py",
            "train.py",
            "test_package.py",
            "test_sharding.py",
            "test_muladd.py",
        )
        names = [name for name in names if not name.endswith(kept)]
        if names:
            name = self.random.choice(names)
            (self.project / name).unlink()
            self.marks.pop(name, None)
            self.deleted.add(name)
            self.counts["edits"] += 1

    def new_answers(self) -> dict[str, str]:
        what = self.random.choice(["variant", "license", "more_ops", "signature", "project"])
        answers = self.answers.copy()
        if what == "variant":
            answers.pop("binding", None)
            answers |= self.random.choice(VARIANTS).answers
        elif what == "license":
            answers["license"] = self.random.choice(["MIT", "BSD-3-Clause", "Apache-2.0"])
        elif what == "project":
            answers["project"] = self.random.choice(PACKAGES)
        elif what == "signature":
            lines = answers["more_ops"].splitlines()
            number = self.random.randrange(-1, len(lines))
            if number < 0:
                answers["signature"] = self.random.choice(SIGNATURES)
            else:
                lines[number] = self.operator(number, lines[number].partition(":")[0])
                answers["more_ops"] = "".join(f"{line}\n" for line in lines)
        elif answers["more_ops"].count("\n") < 6:
            number = answers["more_ops"].count("\n")
            kernel = self.random.choice(list(OPERATORS))
            answers["more_ops"] += f"{self.operator(number, kernel)}\n"
        return answers

    def operator(self, number: int, kernel: str) -> str:
        """Return an operator in the notation of `more_ops`."""
        arguments, arrow, results = self.random.choice(OPERATORS[kernel]).partition(" -> ")
        return f"{kernel}: gate{number}({arguments}){arrow}{results}"

    def change_answers(self) -> None:
        """Update with other answers; if they are refused, keep the old ones or give up the file."""
        answers, old, obeyed = self.new_answers(), self.package, False
        while True:
            try:
                update(self.project, data=answers)
                break
            except ValueError as refusal:
                assert git(self.project, "status", "--porcelain") == ""
                self.counts["refusals"] += 1
                if not obeyed and self.random.random() < 0.5:
                    return
                before, obeyed = files(self.project), True
                obey(self.project, refusal)
                self.move_marks(old, answers["project"])
                for name in before.keys() - files(self.project).keys():
                    self.marks.pop(name, None)
        self.answers = answers
        self.counts["updates"] += 1

    def move_marks(self, old: str, package: str) -> None:
        """Follow a renamed package and the tests with its name."""
        if not (self.project / old).exists():
            for name in list(self.marks):
                moved = re.sub(rf"\A(tests/)?{old}(?=/|_suite)", rf"\1{package}", name)
                if not (self.project / name).exists() and (self.project / moved).exists():
                    self.marks[moved] = self.marks.pop(name)
            self.answers["project"] = package

    def drop(self) -> None:
        """Drop the operators that still have files: this is refused."""
        if self.answers["more_ops"]:
            with pytest.raises(ValueError, match="no longer in the answers"):
                update(self.project, data={"more_ops": ""})
            assert git(self.project, "status", "--porcelain") == ""

    # ---- A step, and the checks after it

    def step(self) -> str:
        what = self.random.choice(["edit", "edit", "answers", "release", "drop"])
        if what == "drop":
            self.drop()
        elif what == "edit":
            for _ in range(self.random.randint(1, 3)):
                self.edit()
            if self.random.random() < 0.2:
                self.delete()
        elif what == "answers":
            self.change_answers()
        else:
            self.release()
            update(self.project)
            self.counts["updates"] += 1
        self.check()
        for name in self.unmerged():
            self.resolve(name)
            self.counts["conflicts"] += 1
        commit(self.project, what)
        return what

    def resolve(self, name: str) -> None:
        """Resolve a conflict: keep the user's file, or take the new file and repeat the user's edits."""
        side = "--theirs" if self.builds else "--ours"
        git(self.project, "checkout", side, "--", name)
        if self.builds:
            with (self.project / name).open("a") as file:
                file.writelines(
                    f"{self.comment(name, mark)}\n" for mark in self.marks.get(name, ())
                )

    def unmerged(self) -> set[str]:
        lines = git(self.project, "ls-files", "-u").splitlines()
        return {line.split("\t")[1] for line in lines}

    def check(self) -> None:
        text, unmerged = files(self.project), self.unmerged()
        for name, marks in self.marks.items():
            kept = text.get(name, "")
            assert all(re.search(rf"\b{mark}\b", kept) for mark in marks), f"an edit of {name}"
        assert not self.deleted & text.keys(), "a deleted file is back"
        assert not [name for name in text if name.endswith((".rej", ".orig"))]
        for name in text.keys() - unmerged:
            assert "\n<<<<<<< " not in text[name], f"a conflict in {name} that git does not know of"
            if name.endswith(".py"):
                ast.parse(text[name], name)
            elif name.endswith(".ipynb"):
                json.loads(text[name])
            elif name.endswith(".toml"):
                tomllib.loads(text[name])
            elif name.endswith((".yml", ".yaml")):
                yaml.safe_load(text[name])
        stored = yaml.safe_load(text[".copier-answers.yml"])
        assert self.answers.items() <= stored.items(), "the answers"
        assert ("binding" in stored) == ("binding" in self.answers)
