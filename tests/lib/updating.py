"""Shared by tests of updates: git, updates, and a template with an older release."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import copier
from render import TEMPLATE

# How a comment begins, by the suffix of a file.
COMMENTS = dict.fromkeys([".py", ".toml", ".txt"], "#")
COMMENTS |= dict.fromkeys([".h", ".cpp", ".cuh", ".cu"], "//")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def start(folder: Path) -> None:
    git(folder, "init", "-q")
    commit(folder, "start")


def update(project: Path, **options) -> None:
    copier.run_update(
        str(project),
        defaults=True,
        overwrite=True,
        unsafe=options.pop("unsafe", False),
        quiet=True,
        vcs_ref=options.pop("vcs_ref", "HEAD"),
        **options,
    )


def obey(project: Path, refusal: ValueError) -> None:
    """Run the command in the refusal of an answer, and commit."""
    command = re.search(r'run "(git [^"]+)", commit, and update again\.', str(refusal))[1]
    subprocess.run(["bash", "-ec", command], cwd=project, check=True)
    commit(project, command)


def update_as_told(project: Path, answers: dict[str, str]) -> None:
    """Update with other answers, which deletes nothing; follow the refusals, if there are any."""
    while True:
        # Whether these are there depends on signatures, or on the build; nobody edits them.
        changing = {
            "autocast.py",
            "_vmap.py",
            "sharding.py",
            "_sharding.py",
            "test_sharding.py",
            "backend.py",
            "build.py",
            "calls.py",
            "extension.py",
            "launches.py",
            "_operators.py",
            "record.py",
            "trust.py",
            "compile_commands.py",
        }
        before = {path for path in project.rglob("*") if path.name not in changing}
        try:
            update(project, data=answers)
        except ValueError as refusal:
            obey(project, refusal)
            continue
        assert all(path.exists() for path in before if ".git" not in path.parts)
        return


# What no render and no update reads.
UNREAD = [f":!{folder}" for folder in ["docs", "examples", "tests", "tools"]]


def copy_template(clone: Path, *, whole: bool = False) -> Path:
    """Copy this checkout, uncommitted changes included, without its history; or the whole of it, with its documents."""
    which = ["ls-files", "-co", "--exclude-standard", "-z", "--", ".", *([] if whole else UNREAD)]
    tracked = git(TEMPLATE, *which).split("\0")
    for name in filter(None, tracked):
        if (TEMPLATE / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TEMPLATE / name, clone / name)
    return clone


# Every kind of file, with words as they are and as they were in an older state of the template.
OLDER = {
    "variants/kernel/elementwise/op_cpu.cpp": ("on the CPU.", "on the processor."),
    "variants/kernel/op.py": ("import torch\n", "import torch  # older\n"),
    "variants/kernel/test_op.py": ("import torch\n", "import torch  # older\n"),
    "template/tests/{{ project }}_suite/matmul.py": (
        "import os\n",
        "import os  # older\n",
    ),
    "template/README.md.jinja": ("## Measure", "## Measuring"),
    "template/.gitignore": ("*.so\n", "*.so\n*.old\n"),
    "template/{{ 'setup.py' if setuptools else '' }}.jinja": ("Without -g0", "Without  -g0"),
}


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new, 1))


def older_and_newer(clone: Path) -> Path:
    """Copy this checkout with two states: 0.0.1 is older, the last is this checkout's."""
    copy_template(clone)
    for name, (new, old) in OLDER.items():
        replace(clone / name, new, old)
    start(clone)
    git(clone, "tag", "0.0.1")
    for name, (new, old) in OLDER.items():
        replace(clone / name, old, new)
    commit(clone, "newer")
    return clone
