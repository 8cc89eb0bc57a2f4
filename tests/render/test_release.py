"""The workflow that releases this template, run here on a scratch repository, and the changelog that it reads."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import copier
import pytest
import yaml
from release import notes, version_to_release
from render import TEMPLATE
from updating import commit, git, start
from workflows import TOKEN, fake_gh, holds, run_job

CHANGELOG = """# Changelog

## {heading}

### Added

- A first line
  that goes on.
- A second line.

```
code
stays
```

## 0.1.0

- Everything.
"""


@pytest.fixture
def repository(tmp_path) -> Path:
    """A template of one file, whose remote is `tmp_path / "remote"`."""
    folder = tmp_path / "template"
    shutil.copytree(TEMPLATE / ".github" / "workflows", folder / ".github" / "workflows")
    (folder / "tools").mkdir()
    shutil.copy(TEMPLATE / "tools" / "release.py", folder / "tools")
    (folder / "copier.yml").write_text("_subdirectory: template\n")
    (folder / "template").mkdir()
    answers = folder / "template" / "{{ _copier_conf.answers_file }}.jinja"
    answers.write_text("{{ _copier_answers | to_nice_yaml }}")
    (folder / "CHANGELOG.md").write_text(CHANGELOG.format(heading="0.2.0 (unreleased)"))
    start(folder)
    git(tmp_path, "clone", "-q", "--bare", "template", "remote")
    git(folder, "remote", "add", "origin", str(tmp_path / "remote"))
    return folder


def run_release(repository: Path, *, branch: str = "main", tests: bool = True) -> str:
    """Run release.yml for the newest commit and return the output; `gh release create` makes the tag."""
    folder, remote = repository.parent, repository.parent / "remote"
    git(repository, "push", "-q", "origin", "HEAD")
    newest = git(remote, "rev-parse", "HEAD").strip()
    gh = fake_gh(folder) / "gh"
    gh.write_text(
        f"""#!/bin/sh
[ "$1 $2" = "release create" ] && [ $GH_TOKEN = {TOKEN} ] || exit 1
[ "$4 $6 $8" = "--title --notes-file --target" ] && [ $5 = $3 ] && [ $9 = {newest} ] || exit 1
cp $7 {folder}/published-$3.md && git -C {remote} tag $3 $9
"""
    )
    workflow = yaml.safe_load(git(remote, "show", "HEAD:.github/workflows/release.yml"))
    values = {
        "github.token": TOKEN,
        "github.ref_name": branch,
        "github.event.repository.default_branch": "main",
    }
    output, done = "", set()
    for name, job in workflow["jobs"].items():
        needs = job.get("needs", [])
        if not done.issuperset([needs] if isinstance(needs, str) else needs):
            continue
        if not holds(job, values):
            continue
        if "uses" in job:
            assert (TEMPLATE / job["uses"].removeprefix("$/")).exists()
            done |= {name} if tests else set()
            continue
        job = job | {"steps": [with_variable(step, newest) for step in job["steps"]]}
        code, printed = run_job(name, job, values, remote)
        output += printed
        if code:
            return output
        done.add(name)
    return output


def with_variable(step: dict, commit_hash: str) -> dict:
    return step | {"env": step.get("env", {}) | {"GITHUB_SHA": commit_hash}}


def tags(repository: Path) -> list[str]:
    return git(repository.parent / "remote", "tag").split()


def write_heading(repository: Path, heading: str) -> None:
    (repository / "CHANGELOG.md").write_text(CHANGELOG.format(heading=heading))
    commit(repository, heading)


def test_a_heading_becomes_a_tag_and_a_release(repository):
    assert run_release(repository) == "" and tags(repository) == []

    write_heading(repository, "0.2.0")
    assert run_release(repository, branch="topic") == ""
    assert run_release(repository, tests=False) == "0.2.0\n"
    assert tags(repository) == []

    output = run_release(repository)
    assert tags(repository) == ["0.2.0"], output
    published = (repository.parent / "published-0.2.0.md").read_text()
    expected = (
        "## Added\n\n- A first line that goes on.\n- A second line.\n\n```\ncode\nstays\n```\n"
    )
    assert published == expected

    # A further push of the same heading releases nothing: a second tag of the name would fail.
    commit(repository, "a word")
    assert run_release(repository) == ""
    project = repository.parent / "project"
    copier.run_copy(
        "git+" + (repository.parent / "remote").as_uri(), project, defaults=True, quiet=True
    )
    assert "_commit: 0.2.0\n" in (project / ".copier-answers.yml").read_text()


@pytest.mark.parametrize(
    ("heading", "error"),
    {
        "next": 'the heading "next" must be "1.2.3" or "1.2.3 (unreleased)"',
        "0.2.0 (soon)": 'the heading "0.2.0 (soon)" must be',
        "0.0.9": "0.0.9 is older than the tag 0.1.0",
    }.items(),
)
def test_a_wrong_heading_fails(heading, error, repository):
    git(repository.parent / "remote", "tag", "0.1.0")
    write_heading(repository, heading)
    assert error in run_release(repository)
    assert tags(repository) == ["0.1.0"]


def test_versions_are_compared_as_numbers():
    changelog = CHANGELOG.format(heading="0.10.0")
    assert version_to_release(changelog, ["0.9.0", "other"]) == "0.10.0"
    assert version_to_release(changelog, ["0.10.0", "0.9.0"]) == ""
    with pytest.raises(SystemExit, match="has no text"):
        version_to_release("# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\n- A line.\n", [])


def test_the_changelog_can_be_released():
    changelog = (TEMPLATE / "CHANGELOG.md").read_text()
    headings = re.findall("^## (.*)$", changelog, re.MULTILINE)
    version = headings[0].removesuffix(" (unreleased)")
    assert version_to_release(changelog.replace(headings[0], version, 1), headings[1:]) == version
    for heading in re.findall("^### (.*)$", changelog, re.MULTILINE):
        assert heading in ["Added", "Changed", "Fixed", "On update you have to"]
    # Each end of a line starts a list's item, a heading or a paragraph.
    assert not re.search(r"\S\n {2}\S", notes(changelog))
