"""A release moves a file, and the user's edits move with it, by the recipe of CONTRIBUTING.md."""

from __future__ import annotations

import subprocess
import sys

import copier
import pytest
from render import TEMPLATE, files, render
from updating import commit, copy_template, git, replace, start, update

OLD, NEW = "examples/quickstart.py", "examples/first/start.py"


@pytest.fixture
def template(tmp_path):
    """A template that moves a file in its release 0.2.0, and does nothing special in 0.3.0."""
    clone = copy_template(tmp_path / "template")
    start(clone)
    git(clone, "tag", "0.1.0")
    examples = clone / "template" / "{{ 'examples' if full or inline else '' }}"
    (examples / "first").mkdir()
    name = "{{{{ '{}' if full else '' }}}}.jinja"
    moved = [name.format("quickstart.py"), f"first/{name.format('start.py')}"]
    git(clone, "mv", *(str(examples / x) for x in moved))
    recipe = (TEMPLATE / "CONTRIBUTING.md").read_text().split("```yaml\n")[1].split("```")[0]
    assert "0.2.0" in recipe and OLD in recipe and NEW in recipe
    with open(clone / "copier.yml", "a") as file:
        file.write("\n" + recipe)
    commit(clone, "move")
    git(clone, "tag", "0.2.0")
    replace(clone / "template/.gitignore", "*.so", "*.new")
    commit(clone, "later")
    git(clone, "tag", "0.3.0")
    return clone


def edited(template, folder):
    project = render(folder / "x", template=template, vcs_ref="0.1.0")
    replace(project / OLD, "import torch\n", "import torch  # mine\n")
    start(project)
    return project


def test_a_moved_file_keeps_its_edits(template, tmp_path):
    project = edited(template, tmp_path)
    before = files(project)
    with pytest.raises(copier.errors.UnsafeTemplateError):
        update(project, vcs_ref="0.2.0")
    assert files(project) == before
    update(project, vcs_ref="0.2.0", unsafe=True)
    assert not (project / OLD).exists()
    assert "# mine" in (project / NEW).read_text()
    # The edited line is a visible conflict: Copier compares with an empty file at the new path.
    assert git(project, "diff", "--name-only", "--diff-filter=U").split() == [NEW]
    git(project, "checkout", "--ours", "--", NEW)
    commit(project, "moved")

    # The release is behind it: no trust is asked for again.
    update(project, vcs_ref="0.3.0")
    assert "*.new" in (project / ".gitignore").read_text()
    assert "# mine" in (project / NEW).read_text()


def test_a_moved_file_without_edits_has_no_conflict(template, tmp_path):
    project = render(tmp_path / "x", template=template, vcs_ref="0.1.0")
    start(project)
    update(project, vcs_ref="0.2.0", unsafe=True)
    assert git(project, "ls-files", "-u") == ""
    fresh = render(tmp_path / "fresh", template=template, vcs_ref="0.2.0")
    assert files(project).keys() == files(fresh).keys()
    assert files(project)[NEW] == files(fresh)[NEW]


def test_a_file_in_the_way_stops_the_move(template, tmp_path):
    project = edited(template, tmp_path)
    (project / NEW).parent.mkdir()
    (project / NEW).write_text("# my own\n")
    commit(project, "mine")
    with pytest.raises(copier.errors.TaskError):
        update(project, vcs_ref="0.2.0", unsafe=True)
    assert git(project, "status", "--porcelain") == ""


def test_the_hook_is_safe_to_run_twice(tmp_path):
    (tmp_path / "old.py").write_text("EDITED = True\n")
    start(tmp_path)
    hook = [sys.executable, str(TEMPLATE / "hooks" / "move.py"), "old.py", "new/place.py"]
    for _ in range(2):
        subprocess.run(hook, cwd=tmp_path, check=True)
        assert (tmp_path / "new/place.py").read_text() == "EDITED = True\n"
        assert not (tmp_path / "old.py").exists()
