"""The rendered workflow that keeps a project current, run here step by step."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from render import TEMPLATE, render
from test_render import files
from updating import commit, git, replace, start


@pytest.fixture
def project(template, tmp_path) -> Path:
    """A project of the older template, with a remote; the newer template has a tag too."""
    clone = tmp_path / "template"
    git(tmp_path, "clone", "-q", str(template), str(clone))
    git(clone, "tag", "0.0.2")
    project = render(tmp_path / "x", template=clone, vcs_ref="0.0.1")
    start(project)
    git(tmp_path, "init", "-q", "--bare", "remote")
    git(project, "remote", "add", "origin", str(tmp_path / "remote"))
    return project


def run_workflow(project: Path, tmp_path: Path) -> tuple[int, str]:
    """Run the steps as GitHub's runner does, with a `gh` that writes down how it was called."""
    tools = tmp_path / "bin"
    tools.mkdir(exist_ok=True)
    calls = tmp_path / "calls"
    # It lists the requests that it has created.
    (tools / "gh").write_text(
        f'#!/bin/sh\n[ "$2" = create ] || grep "pr create" {calls}\necho "$@" >> {calls}\n'
    )
    calls.touch()
    (tools / "gh").chmod(0o755)
    path = f"{tools}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    steps = yaml.safe_load((project / ".github/workflows/update.yml").read_text())["jobs"]["update"]
    output = ""
    for step in steps["steps"]:
        script = step.get("run", "")
        if script and not script.startswith("pip "):
            result = subprocess.run(
                ["bash", "-e", "-c", script],
                cwd=project,
                env=os.environ | {"PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            output += result.stdout
            if result.returncode:
                return result.returncode, output
    return 0, output


def test_an_update_becomes_a_pull_request(project, tmp_path):
    code, output = run_workflow(project, tmp_path)
    assert code == 0, output
    text = git(tmp_path / "remote", "show", "template-update:README.md")
    assert "## Measure\n" in text
    calls = tmp_path / "calls"
    assert "pr create --head template-update --fill" in calls.read_text()

    # The next week finds the same update on the default branch, and the request still open.
    git(project, "switch", "-q", "-")
    code, output = run_workflow(project, tmp_path)
    assert code == 0, output
    assert calls.read_text().count("pr create") == 1

    # Merged: nothing is left to do.
    git(project, "switch", "-q", "template-update")
    before = calls.read_text()
    code, output = run_workflow(project, tmp_path)
    assert code == 0 and "Nothing to update." in output, output
    assert calls.read_text() == before


def test_commits_that_a_person_added_stay(project, tmp_path):
    code, output = run_workflow(project, tmp_path)
    assert code == 0, output
    person = tmp_path / "person"
    git(tmp_path, "clone", "-q", "-b", "template-update", str(tmp_path / "remote"), str(person))
    (person / "mine.txt").write_text("mine\n")
    commit(person, "mine")
    git(person, "push", "-q", "origin", "template-update")

    git(project, "switch", "-q", "-")
    code, output = run_workflow(project, tmp_path)

    assert code == 1
    assert "ends in a commit of test@example.com" in output, output
    assert git(tmp_path / "remote", "show", "template-update:mine.txt") == "mine\n"


def test_only_one_step_has_the_token(project):
    text = (project / ".github/workflows/update.yml").read_text()
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert ["TOKEN" in str(step) for step in job["steps"]] == [False] * (len(job["steps"]) - 1) + [
        True
    ]
    assert "env" not in job
    assert job["steps"][0]["with"] == {"persist-credentials": False}


def test_a_conflict_fails_and_names_the_file(project, tmp_path):
    replace(project / "README.md", "## Measuring", "## My figures")
    commit(project, "mine")
    code, output = run_workflow(project, tmp_path)
    assert code == 1
    error = next(line for line in output.splitlines() if line.startswith("::error::"))
    assert error.endswith("conflicts in README.md")
    assert git(tmp_path / "remote", "branch") == ""
    assert (tmp_path / "calls").read_text() == ""


def test_it_uses_no_actions_of_others(project):
    for name, text in files(project).items():
        if name.startswith(".github/workflows/"):
            job = next(iter(yaml.safe_load(text)["jobs"].values()))
            used = [step["uses"] for step in job["steps"] if "uses" in step]
            assert used == ["actions/checkout@v4", "actions/setup-python@v5"], name


def test_continuous_integration_runs_every_session_of_test():
    jobs = yaml.safe_load((TEMPLATE / ".github/workflows/test.yml").read_text())["jobs"]
    sessions = ", ".join(jobs["test"]["strategy"]["matrix"]["session"])
    assert f'"""Run everything that tests: {sessions}."""' in (TEMPLATE / "noxfile.py").read_text()
