"""Projects follow the template: nothing a user did is lost."""

from __future__ import annotations

from pathlib import Path

from render import render
from test_render import files
from updating import commit, git, start, update


def same(a: Path, b: Path) -> None:
    left, right = files(a), files(b)
    assert list(left) == list(right)
    for name, text in right.items():
        if name != ".copier-answers.yml":
            assert left[name] == text, name


def test_an_updated_project_equals_a_fresh_one(template, variant, tmp_path):
    project = render(tmp_path / "old", variant.answers, template=template, vcs_ref="0.0.1")
    start(project)
    fresh = render(tmp_path / "new", variant.answers, template=template)
    assert (project / "README.md").read_text() != (fresh / "README.md").read_text()
    update(project)
    same(project, fresh)
    assert git(project, "ls-files", "-u") == ""
    commit(project, "updated")
    update(project)
    assert git(project, "status", "--porcelain") == ""


def test_edits_and_deletions_survive(template, variant, tmp_path):
    project = render(tmp_path / "old", variant.answers, template=template, vcs_ref="0.0.1")
    edits = {
        "my_ops/csrc/muladd/muladd.h": ("out = a * b + c;", "out = a * b - c;"),
        "my_ops/csrc/muladd/muladd_cuda.cu": (
            "return cudaGetLastError();",
            "/*mine*/ return cudaGetLastError();",
        ),
        "my_ops/ops/muladd.py": ("return a * b + c", "return a * b - c"),
        "tests/test_muladd.py": ("def check(out, args):", "def check(out, args):  # mine"),
    }
    if variant.autograd == "function":
        edits["my_ops/ops/muladd.py"] = (
            "return grad_a, grad_b, None",
            "return 2 * grad_a, grad_b, None",
        )
    for name, (old, new) in edits.items():
        text = (project / name).read_text()
        assert old in text, name
        (project / name).write_text(text.replace(old, new))
    (project / "examples/quickstart.py").unlink()
    (project / "my_ops/extra.py").write_text("ANSWER = 42\n")
    start(project)
    update(project)
    assert git(project, "ls-files", "-u") == ""
    for name, (_, new) in edits.items():
        assert new in (project / name).read_text(), name
    assert not (project / "examples/quickstart.py").exists()
    assert (project / "my_ops/extra.py").read_text() == "ANSWER = 42\n"
    assert "## Measure\n" in (project / "README.md").read_text()
    assert "# older" not in (project / "my_ops/ops/muladd.py").read_text()


def test_a_conflict_is_visible(template, tmp_path):
    project = render(tmp_path / "old", template=template, vcs_ref="0.0.1")
    readme = project / "README.md"
    readme.write_text(readme.read_text().replace("## Measuring", "## My figures"))
    start(project)
    update(project)
    text = readme.read_text()
    assert "<<<<<<<" in text and "## My figures" in text and "## Measure\n" in text
    assert "README.md" in git(project, "ls-files", "-u")


def test_an_update_with_another_answer_equals_a_fresh_project(variant, template, tmp_path):
    project = render(tmp_path / "old", template=template)
    start(project)
    update(project, data=variant.answers)
    same(project, render(tmp_path / "new", variant.answers, template=template))
