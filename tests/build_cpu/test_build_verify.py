"""`python -m my_ops.verify`: the verdicts on a right, a wrong, an uncompilable and an untestable project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from building import FASTER
from render import TEMPLATE, render
from updating import replace
from verdicts import faults

HEADER = "my_ops/csrc/muladd/muladd.h"
MODULE = "my_ops/ops/muladd.py"
TESTS = "tests/test_muladd.py"
in_one_process = pytest.mark.xdist_group("verify")
PATCH = """

_plain = muladd


def muladd(a, b, c):
    import sys

    facts = sys.modules.get("my_ops_suite.facts")
    if facts:
        facts.Facts.check = lambda *args: None
    return _plain(a, b, c)
"""
CRASH = """

_plain = muladd


def muladd(a, b, c):
    if a.dim() == 4:
        import ctypes

        ctypes.string_at(0)
    return _plain(a, b, c)
"""


# Why no GPU runs the CUDA code.
LEFT_OUT = "CPU_ONLY=1 left out the CUDA code" if torch.version.cuda else "this PyTorch has no CUDA"


class Judged:
    """A project, whose edits are taken back after each test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = {name: (path / name).read_text() for name in (HEADER, MODULE, TESTS)}

    def restore(self) -> None:
        for name, text in self.before.items():
            (self.path / name).write_text(text)

    def verdict(self, *options: str, status: int, nvcc: str | Path = os.devnull) -> dict:
        """Return the JSON, which follows the schema. The last line has the same verdict for a person."""
        own = {"CPU_ONLY": "1", "CUDA_HOME": str(nvcc), "LC_ALL": "C.UTF-8"}
        own["TORCH_EXTENSIONS_DIR"] = str(self.path.parent / "extensions")
        own["PYTHONPATH"] = os.environ.get(
            "NEWEST_PYTEST", ""
        )  # a project takes any release from 9 on
        file = self.path / "verdict.json"
        file.unlink(missing_ok=True)
        ran = subprocess.run(
            [sys.executable, "-m", "my_ops.verify", "--quick", "--json", file, *options],
            cwd=self.path,
            env=os.environ | FASTER | own,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == status, ran.stdout + ran.stderr
        self.said = ran.stderr
        verdict = json.loads(file.read_text())
        assert faults(verdict) == []
        assert verdict["status"] == status
        (line,) = ran.stdout.splitlines()
        assert line == f"my_ops: {verdict['verdict']}: {verdict['reason']}"
        return verdict


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    # The binding that is compiled soonest.
    answers = {"build": "jit", "binding": "torch_stable", "autograd": "none"}
    return Judged(render(tmp_path_factory.mktemp("verify") / "my_ops", answers, extent=None))


@pytest.fixture
def judged(made):
    yield made
    made.restore()


def status_of(verdict: dict, check: str, device: str | None = "cpu") -> str:
    (found,) = [x for x in verdict["checks"] if (x["check"], x["device"]) == (check, device)]
    return found["status"]


@in_one_process
def test_verdict_on_a_right_project(judged):
    verdict = judged.verdict(status=0)
    assert status_of(verdict, "values") == status_of(verdict, "layouts") == "passed"
    assert status_of(verdict, "values", "cuda") == "not_run"
    assert status_of(verdict, "opcheck", None) == "not_run"
    assert verdict["cuda"] == {
        "compiled": False,
        "run": False,
        "reason": f"{LEFT_OUT}, and there is no nvcc",
    }
    assert "neither compiled nor run" in verdict["reason"]
    assert verdict["failure"] is None


@in_one_process
def test_verdict_on_a_wrong_project(judged):
    replace(judged.path / HEADER, "out = a * b + c;", "out = a * b - c;")
    verdict = judged.verdict("muladd", status=1)
    assert status_of(verdict, "values") == "failed"
    failure = verdict["failure"]
    assert failure["check"] == "values"
    assert failure["message"].startswith("muladd: the result differs between")
    assert len(failure["message"].splitlines()) <= 10
    assert failure["arguments"].startswith("a = float32[6, 5], b = float32[6, 5], c = ")
    # The first failure is printed soon, with the command that runs its test again.
    before, _, after = judged.said.partition(f"\n\n{failure['test']}\n")
    assert before.count("\n") <= 12 and f"\nagain: {failure['again']}\n" in after, judged.said
    # The call is Python, and gives the result that the test saw.
    program = failure["call"].replace("my_ops.muladd(", "print(my_ops.muladd(", 1) + ".shape)"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=judged.path,
        env=os.environ | {"TORCH_EXTENSIONS_DIR": str(judged.path.parent / "extensions")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "torch.Size([6, 5])\n", ran.stderr


@in_one_process
def test_verdict_on_a_project_that_does_not_compile(judged):
    replace(judged.path / HEADER, "out = a * b + c;", "out = a * b + d;")
    line = 1 + judged.before[HEADER].splitlines().index("  out = a * b + c;")
    verdict = judged.verdict(status=2)
    assert (verdict["error"]["file"], verdict["error"]["line"]) == (HEADER, line)
    assert "declared" in verdict["error"]["message"]
    assert status_of(verdict, "build", None) == "failed"


@in_one_process
def test_verdict_on_cuda_code_that_does_not_compile(judged, tmp_path):
    """Without CUDA in PyTorch, only the tests compile the .cu files: the verdict was `wrong`."""
    (tmp_path / "bin").mkdir()
    nvcc = tmp_path / "bin" / "nvcc"
    works = '#!/bin/sh\n[ "$1" = "-ptx" ] || exit 1\n'
    nvcc.write_text(works)
    nvcc.chmod(0o755)
    compiled = judged.verdict(status=0, nvcc=tmp_path)
    assert compiled["cuda"] == {"compiled": True, "run": False, "reason": LEFT_OUT}
    nvcc.write_text(
        works
        + 'for x; do [ "${x%.cu}" = "$x" ] || echo "$x(9): error: expected a \\";\\""; done; exit 2\n'
    )
    verdict = judged.verdict(status=2, nvcc=tmp_path)
    file = "my_ops/csrc/muladd/muladd_cuda.cu"
    assert verdict["error"] == {"file": file, "line": 9, "message": 'expected a ";"'}
    assert verdict["reason"] == f'{file}, line 9: expected a ";"'
    assert not verdict["cuda"]["compiled"] and verdict["failure"] is None
    assert status_of(verdict, "build", "cuda") == "failed"


@in_one_process
def test_verdict_on_a_project_that_is_not_tested(judged):
    """No test compares values: they are all skipped."""
    replace(judged.path / TESTS, "class TestMuladd", '@pytest.mark.skip("later")\nclass TestMuladd')
    replace(judged.path / TESTS, "import torch\n", "import pytest\nimport torch\n")
    assert judged.verdict(status=3)["reason"] == "no test compared values of muladd"


@in_one_process
def test_verdict_on_a_project_that_ends_the_process(judged):
    (judged.path / MODULE).write_text(judged.before[MODULE] + CRASH)
    verdict = judged.verdict(status=1)
    assert verdict["reason"].startswith(
        "muladd: test_values_in_guarded_memory ended the process by SIGSEGV"
    )
    assert verdict["failure"]["arguments"].startswith("a = float32[2, 3, 4, 5] of strides")
    # Without verify, Python prints the name of the test beside the signal.
    own = {"TORCH_EXTENSIONS_DIR": str(judged.path.parent / "extensions"), "CPU_ONLY": "1"}
    own |= {"CUDA_HOME": os.devnull, "PYTHONPATH": str(judged.path)}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "test_values"],
        cwd=judged.path,
        env=os.environ | FASTER | own,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Segmentation fault" in ran.stderr
    assert (
        'File "tests/test_muladd.py::TestMuladd::test_values_in_guarded_memory[cpu]' in ran.stderr
    )


@in_one_process
def test_verdict_of_a_kit(judged):
    """The suite is from a copy of the template. A suite that an operator patches, or that differs, is refused."""
    kit = ["--kit", str(TEMPLATE)]
    assert judged.verdict(*kit, status=0)["kit"] == str(TEMPLATE)
    (judged.path / MODULE).write_text(judged.before[MODULE] + PATCH)
    number = (judged.before[MODULE] + PATCH).splitlines().index(PATCH.splitlines()[10]) + 1
    said = f"{MODULE}, line {number}, replaces my_ops_suite.facts.Facts.check"
    assert said in judged.verdict(*kit, status=3)["reason"]
    judged.restore()
    replace(
        judged.path / TESTS,
        "    name = ",
        "    def test_values(self):\n        pass\n\n    name = ",
    )
    assert "replaces test_values of the kit" in judged.verdict(*kit, status=3)["reason"]
    judged.restore()
    checks = judged.path / "my_ops/_kit/checks.py"
    before = checks.read_text()
    try:
        checks.write_text(f"{before}# edited\n")
        assert (
            "my_ops/_kit/checks.py differs from the kit in"
            in judged.verdict(*kit, status=3)["reason"]
        )
    finally:
        checks.write_text(before)
