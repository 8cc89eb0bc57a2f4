"""Follow docs/tutorial.md as a reader does: every command runs, and every block of code goes into the named file.

A block without a language has commands. A block of cpp or python replaces the code with the same first line in the file
that the text names, or is that file. A block of text has the output of the command before it, with ... for parts that
differ.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from building import FASTER, python
from render import TEMPLATE
from updating import commit, copy_template, git

TUTORIAL = TEMPLATE / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Programs of the environment that the project is installed into.
PROGRAMS = "set -e; pip() { python -m pip -q $@; }; copier() { python -m copier $@; }; pytest() { python -m pytest $@; }"


def run(commands: str, cwd: Path, home: Path) -> tuple[str, Path]:
    """Return what commands print, and the folder that they end in."""
    programs = PROGRAMS.replace("$@", '"$@"')
    script = f"{programs}\n{commands}\npwd > ~/end"
    user = {"GIT_AUTHOR_NAME": "Reader", "GIT_AUTHOR_EMAIL": "reader@example.com"}
    user |= {"GIT_COMMITTER_NAME": "Reader", "GIT_COMMITTER_EMAIL": "reader@example.com"}
    # A process starts in seconds, and PyTorch's compiler and two processes are the same for other operators.
    few = "values or gradients or refuses or test_package"
    chosen = {"PYTEST_ADDOPTS": f"-k '({few}) and not compile'"}
    path = {"PATH": f"{Path(python()).parent}{os.pathsep}{os.environ['PATH']}", "MAX_JOBS": "2"}
    # PyTorch's own cache identifies an operator only by its name, and in an earlier run the operator was different.
    cache = {"TORCHINDUCTOR_CACHE_DIR": str(home / "inductor")}
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=cwd,
        env=os.environ | FASTER | user | {"HOME": str(home)} | chosen | path | cache,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{commands}\n{result.stdout[-6000:]}"
    return result.stdout, Path((home / "end").read_text().strip())


def put(path: Path, code: str) -> None:
    """Put code in the place of what begins with its first line; a file that is not there is the code."""
    if not path.exists():
        path.write_text(code)
        return
    text = path.read_text()
    first, *_, last = code.splitlines()
    assert text.count(f"{first}\n") == 1, f"{first!r} is not in {path}, or twice"
    before, _, rest = text.partition(f"{first}\n")
    end = "\n\n" if first.startswith(" ") else "\n\n\n" if path.suffix == ".py" else f"\n{last}\n"
    assert end in rest, f"{path}: {first!r} has no end {end!r}"
    path.write_text(before + code.rstrip() + rest[rest.index(end) :].removeprefix(f"\n{last}"))


def described(project: Path) -> Iterator[tuple[str, str]]:
    """Yield the formulas in the README and in the docstrings, each with the name of its operator."""
    readme = (project / "README.md").read_text()
    for name, formula in re.findall(
        r"^- `my_ops\.(\w+)\(.*?\)` computes (.+)", readme, re.MULTILINE
    ):
        module = (project / "my_ops" / "ops" / f"{name}.py").read_text()
        (docstring,) = re.findall(
            r'"""Compute ((?!the same).+?)(?:, on CPU or GPU)?\.$', module, re.MULTILINE
        )
        yield from ((name, x.replace("`", "")) for x in (formula, docstring))


@pytest.mark.long
@pytest.mark.xdist_group("tutorial")
def test_the_tutorial_works_as_it_is_written(tmp_path):
    template = copy_template(tmp_path / "template", whole=True)
    git(template, "init", "-q")
    commit(template, "template")
    git(template, "tag", "99.0.0")  # what Copier takes is a release
    folder, output, end = template, "", 0
    text = TUTORIAL.read_text()
    initial: dict[str, set[str]] = {}
    edited: set[str] = set()
    found = list(BLOCK.finditer(text))
    assert len(found) == text.count("\n```") / 2
    for block in found:
        language, content = block.groups()
        before, end = text[end : block.start()], block.end()
        if language == "":
            output, folder = run(content, folder, tmp_path)
            for name, formula in described(folder) if folder != template else ():
                if name not in edited:
                    initial.setdefault(name, set()).add(formula)
        elif language == "text":
            matches = doctest.OutputChecker().check_output(content, output, doctest.ELLIPSIS)
            assert matches, f"{content}\nis not what was printed:\n{output}"
        else:
            (name,) = re.findall(r"`([\w/]+\.(?:h|cpp|py))`", before)
            put(folder / name, content)
            edited.add(Path(name).stem)
    assert git(folder, "ls-files", "-u") == ""
    stale = [
        f"{name}: {formula}" for name, formula in described(folder) if formula in initial[name]
    ]
    assert len(initial) == 3 and not stale, f"the math is another, but this formula is not: {stale}"


def test_no_sample_of_the_tutorial_is_at_a_bound():
    """PyTorch 2.14 changed the gradient there, and of random bfloat16 numbers many are 0.75."""
    (limit,) = re.findall(r"return \[tensor\(\), tensor\(\), (.+)\]", TUTORIAL.read_text())
    for dtype in torch.float16, torch.bfloat16:
        assert torch.tensor(float(limit), dtype=dtype).item() != float(limit)
