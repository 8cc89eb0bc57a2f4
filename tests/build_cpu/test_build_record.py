"""Each edit is compiled, whatever its time stamp, and a library is only used in the setup that it was compiled for."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from building import EDITED, install, python, run
from render import render
from updating import replace

HEADER = "my_ops/csrc/muladd/muladd.h"

# A compiler that takes its time with the math: meanwhile, somebody saves its header.
COMPILER = """#!/bin/sh
c++ "$@" || exit
case "$*" in
  *" -c "*muladd_cpu* | *" -c "*/kernels/*) if [ -e saved.h ]; then mv saved.h header.h; fi ;;
esac
"""


class Project:
    """A project and its user: each call runs the command that the README gives after an edit."""

    def __init__(self, folder: Path, build: str, **answers: str):
        self.path = render(folder / "my_ops", {"build": build, "autograd": "none"} | answers)
        self.build = build
        self.extensions = folder / "extensions"
        self.prefix: list[str] = []
        self.saved = folder / "saved.h"
        compiler = folder / "slow"
        compiler.write_text(
            COMPILER.replace("saved.h", str(self.saved)).replace(
                "header.h", str(self.path / HEADER)
            )
        )
        compiler.chmod(0o755)
        self.environment = {
            "MY_OPS_REBUILD": "1",
            "TORCH_EXTENSIONS_DIR": str(self.extensions),
            "CXX": str(compiler),
        }

    def edit(self, old: str, new: str) -> Path:
        replace(self.path / HEADER, old, new)
        return self.path / HEADER

    def compute(self) -> float | str:
        """Return what the operator computes, or why it cannot be imported."""
        if self.build == "cmake":
            result = install(self.path, **self.environment)
            assert result.returncode == 0, result.stdout
        last = self.python("-c", EDITED).stdout.splitlines()[-1]
        return last if last.startswith("ImportError: ") else float(last)

    def python(self, *arguments: str, **environment: str) -> CompletedProcess:
        # Where nothing is installed, the working directory has the package.
        interpreter = python() if self.build == "cmake" else sys.executable
        environment = self.environment | environment
        return run(*self.prefix, interpreter, *arguments, cwd=self.path, **environment)

    def only_read(self) -> None:
        """Make the folder of the libraries read-only."""
        if os.geteuid() != 0:
            subprocess.run(["chmod", "-R", "a-w", self.extensions], check=True)
            return
        # For root, no file's mode counts.
        mount = 'mount --bind -o ro "$0" "$0" && exec "$@"'
        self.prefix = ["unshare", "--mount", "sh", "-c", mount, str(self.extensions)]
        if subprocess.run([*self.prefix, "true"], check=False).returncode:
            pytest.skip("this container may not mount a disk that is only read; the rest passed")

    def library(self) -> Path:
        code = "import my_ops; from my_ops._kit.record import find_library; print(find_library())"
        return Path(self.python("-c", code).stdout.split()[-1])

    def pytest(self) -> str:
        tests = "-m", "pytest", "-q", "tests/test_package.py", "-k", "interpreter"
        return self.python(*tests, MY_OPS_REBUILD="0").stdout


# jit finds its library as inline does, which writes its sources as well.
@pytest.mark.parametrize("build", ["setuptools", "cmake", "inline"])
def test_no_edit_is_lost(build, tmp_path):
    project = Project(tmp_path, build, binding="torch_stable")
    assert project.compute() == 6
    assert "1 passed" in project.pytest()

    # Another project of the name, where this one is installed.
    other = shutil.copytree(project.path, tmp_path / "other" / "my_ops")
    replace(other / HEADER, "a * b + c", "a * b - c")
    elsewhere = {"PYTHONPATH": str(project.path), "PYTHONSAFEPATH": "1"}
    interpreter = python() if build == "cmake" else sys.executable
    tests = [interpreter, "-m", "pytest", "-q", "tests/test_package.py"]
    text = run(*tests, cwd=other, **project.environment, **elsewhere).stdout
    found = f"Python finds {project.path}/my_ops, which is not {other}/my_ops; in {other}, run `pip"
    assert f"not tested: {found}" in text, text

    # Saved while the compiler runs.
    header = project.edit("a * b + c", "a * b + 2 * c")
    project.saved.write_text(header.read_text().replace("2 * c", "3 * c"))
    result = project.compute()
    if build in ("setuptools", "cmake"):
        assert f"{HEADER} changed after" in result
    else:
        # The formula before the header was saved, or that after it: it may be compiled again at once.
        assert result in (9, 12)
    assert not project.saved.exists()
    assert project.compute() == 12

    # Copied with its time stamp, as by rsync -a.
    header = project.edit("3 * c", "4 * c")
    os.utime(header, (1e9, 1e9))
    if build in ("setuptools", "cmake"):
        assert f"not tested: {HEADER} changed after" in project.pytest()
    assert project.compute() == 15

    if build != "cmake":
        # Cut off by a full disk, or by who copied it.
        library = project.library()
        os.truncate(library, library.stat().st_size // 2)
        assert project.compute() == 15

    if build == "inline":
        project.only_read()
        assert project.compute() == 15
        project.edit("4 * c", "5 * c")
        text = " ".join(project.python("-c", EDITED).stdout.split())
        assert "nothing can be written" in text and "set TORCH_EXTENSIONS_DIR" in text, text


def test_a_failed_build_keeps_the_times_of_other_sources(tmp_path):
    """After `git checkout` of all files, ninja compiled all of them: nothing knew their times any more."""
    project = render(tmp_path / "my_ops", {"build": "setuptools"})
    record = runpy.run_path(str(project / "my_ops/_kit/record.py"))
    objects, other = tmp_path / "objects", project / "my_ops/csrc/muladd/muladd_cpu.cpp"
    taken = record["take_record"](False)
    record["prepare"](objects, taken)
    record["finish"](objects, taken)
    built = other.stat().st_mtime_ns
    text = (project / HEADER).read_text()
    (project / HEADER).write_text(f"{text}does not compile")
    record["prepare"](objects, record["take_record"](False))
    (project / HEADER).write_text(text)
    os.utime(other)
    record["prepare"](objects, record["take_record"](False))
    assert other.stat().st_mtime_ns == built
