"""Follow a page as a reader does: every command runs, and every block of code goes into the named file.

A block without a language has commands. A block of cpp or python replaces the code with the same first line in the file
that the text names: the whole file, if it begins with this line. A block of text has the output of the command before it,
with ... for parts that differ.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from building import FASTER, python
from render import TEMPLATE
from updating import commit, copy_template, git

DOCS = TEMPLATE / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Programs of the environment that the project is installed into.
PROGRAMS = "set -e; pip() { python -m pip -q $@; }; copier() { python -m copier $@; }; pytest() { python -m pytest $@; }"
# A process starts in seconds, and PyTorch's compiler and two processes are the same for other operators.
FEW = {"PYTEST_ADDOPTS": "-k '(values or gradients or refuses or test_package) and not compile'"}


def run(commands: str, cwd: Path, home: Path, given: dict[str, str]) -> tuple[str, Path]:
    """Return what commands print, and the folder that they end in."""
    programs = PROGRAMS.replace("$@", '"$@"')
    script = f"{programs}\n{commands}\npwd > ~/end"
    user = {"GIT_AUTHOR_NAME": "Reader", "GIT_AUTHOR_EMAIL": "reader@example.com"}
    user |= {"GIT_COMMITTER_NAME": "Reader", "GIT_COMMITTER_EMAIL": "reader@example.com"}
    path = {"PATH": f"{Path(python()).parent}{os.pathsep}{os.environ['PATH']}", "MAX_JOBS": "2"}
    # PyTorch's cache knows an operator only by its name, which may have had other code in an earlier run.
    cache = {"TORCHINDUCTOR_CACHE_DIR": str(home / "inductor")}
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=cwd,
        env=os.environ | FASTER | user | {"HOME": str(home)} | path | cache | given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{commands}\n{result.stdout[-6000:]}"
    return result.stdout, Path((home / "end").read_text().strip())


def put(path: Path, code: str) -> None:
    """Put code in the place of what begins with its first line; a file that is not there is the code."""
    text = path.read_text() if path.exists() else ""
    first, *_, last = code.splitlines()
    if text.partition("\n")[0] in ("", first):
        path.write_text(code)
        return
    assert text.count(f"{first}\n") == 1, f"{first!r} is not in {path}, or twice"
    before, _, rest = text.partition(f"{first}\n")
    end = "\n\n" if first.startswith(" ") else "\n\n\n" if path.suffix == ".py" else f"\n{last}\n"
    assert end in rest, f"{path}: {first!r} has no end {end!r}"
    path.write_text(before + code.rstrip() + rest[rest.index(end) :].removeprefix(f"\n{last}"))


def follow(page: Path, home: Path, given: dict[str, str] = FEW) -> Iterator[tuple[Path, str]]:
    """Do what a page says, from a clone on. After each step, yield the folder and the file that was edited, or ""."""
    template = copy_template(home / "template", whole=True)
    git(template, "init", "-q")
    commit(template, "template")
    git(template, "tag", "99.0.0")  # what Copier takes is a release
    folder, output, end = template, "", 0
    text = page.read_text()
    found = list(BLOCK.finditer(text))
    assert len(found) == text.count("\n```") / 2
    for block in found:
        language, content = block.groups()
        before, end, name = text[end : block.start()], block.end(), ""
        if language == "":
            output, folder = run(content, folder, home, given)
        elif language == "text":
            matches = doctest.OutputChecker().check_output(content, output, doctest.ELLIPSIS)
            assert matches, f"{content}\nis not what was printed:\n{output}"
        else:
            suffixes = "py" if language == "python" else "h|cpp|cu"
            (name,) = re.findall(rf"`([\w/]+\.(?:{suffixes}))`", before)
            put(folder / name, content)
        yield folder, name
