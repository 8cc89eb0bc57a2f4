"""Several operators are built into one library; a project that has lived builds and passes."""

from __future__ import annotations

from xml.etree import ElementTree

from render import render
from test_build import install, succeed
from test_ops import FIVE
from test_walk import SEED, Walk
from updating import git

from variants import VARIANTS


def test_five_operators(tmp_path):
    project = render(tmp_path / "my_ops", {"more_ops": FIVE})
    report = tmp_path / "report.xml"
    result = install(project)
    assert result.returncode == 0, result.stdout[-6000:]
    succeed("pytest", "-q", f"--junitxml={report}", cwd=project)
    cases = ElementTree.parse(report).getroot().iter("testcase")
    ran = [case.get("classname") for case in cases if case.find("skipped") is None]
    for name in ["muladd", "gate", "relu_like", "scale2", "scale10"]:
        assert ran.count(f"tests.test_{name}") >= 40, name


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
