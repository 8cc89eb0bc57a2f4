"""Several operators are built into one library; a project that has lived builds and passes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from render import render
from test_build import install, python, run, succeed
from test_ops import FIVE, NUMBERS
from test_walk import SEED, Walk
from updating import git, replace

from variants import VARIANTS


def ran_tests(project: Path, *selection: str) -> Counter[str]:
    """Build a project, run its tests, and return how many ran of each of its files."""
    result = install(project)
    assert result.returncode == 0, result.stdout[-6000:]
    report = project / "report.xml"
    succeed("pytest", "-q", f"--junitxml={report}", *selection, cwd=project)
    cases = ElementTree.parse(report).getroot().iter("testcase")
    return Counter(case.get("classname") for case in cases if case.find("skipped") is None)


def test_five_operators(tmp_path):
    ran = ran_tests(render(tmp_path / "my_ops", {"more_ops": FIVE}))
    for name in ["muladd", "gate", "relu_like", "scale2", "scale10"]:
        assert ran[f"tests.test_{name}"] >= 40, name


@pytest.mark.parametrize("number", [2, 20])
def test_operators_share_a_library(tmp_path, number):
    # The binding that compiles fastest, and of the tests those that every operator has.
    answers = {"binding": "torch_stable", "more_ops": NUMBERS[number]}
    ran = ran_tests(render(tmp_path / "my_ops", answers), "-k", "test_values or test_gradients")
    assert len(ran) == number
    assert min(ran.values()) >= 20


def test_a_project_builds_after_edits_and_updates(tmp_path):
    """Where tests/test_walk.py sees that no edit is lost, this sees that what is there works."""
    print(f"WALK_SEED={SEED} repeats this walk")
    # Without a gradient, the edited half of a conflict is code that nothing declares any more: to keep
    # it, as the walk does, is then no resolution.
    walk = Walk(tmp_path / "walk", [v for v in VARIANTS if v.autograd == "function"])
    for number in range(2):
        for _ in range(6):
            walk.step()
        built = tmp_path / f"built{number}" / "my_ops"
        git(walk.project, "clone", "-q", str(walk.project), str(built))
        result = install(built)
        assert result.returncode == 0, f"{walk.answers}\n{result.stdout[-6000:]}"
        succeed("pytest", "-q", cwd=built)


@pytest.mark.parametrize(
    "line",
    [
        "rowwise: norm(Tensor x, Tensor? weight=None, *, float eps=1e-5, int k=0)",
        "matmul: linear(Tensor x, Tensor w, Tensor? bias=None, *, float scale=1, int k=0)",
        "gate(Tensor x, *, Tensor y, float c=1) -> (Tensor out, Tensor twice)",
        "scale(Tensor x, Tensor! out, *, float? c=None) -> ()",
        "image: brighten(Tensor image, *, float gain=1)",
        "volume: normalize(Tensor volume, float? low=None, *, float? high=None)",
    ],
)
def test_benchmarks_of_any_signature(line, tmp_path):
    # The build without a compiler: a benchmark knows of none.
    project = render(tmp_path / "my_ops", {"build": "nvrtc", "more_ops": line})
    assert install(project).returncode == 0
    name = line.partition("(")[0].rpartition(" ")[2]
    options = ["--device", "cpu", "--dtypes", "float32", "--sizes", "4096", "--out", "results"]
    text = succeed(python(), f"benchmarks/bench_{name}.py", *options, cwd=project)
    assert "forward" in text and (project / "results" / f"{name}_cpu.json").exists()


def test_what_a_cpu_loop_throws_is_an_error(tmp_path):
    project = render(tmp_path / "my_ops", {"build": "jit"})
    loop = "for_tile<T>("
    replace(project / "my_ops/csrc/muladd/muladd_cpu.cpp", loop, f"throw 1;\n  {loop}")
    assert install(project).returncode == 0
    call = "import torch, my_ops; x = torch.ones(3); my_ops.muladd(x, x, 1.0)"
    result = run(python(), "-c", call, cwd=project)
    assert result.returncode != 0 and "torch_parallel_for" in result.stdout
