"""The rendered workflow that keeps a project current, run here step by step."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from render import TEMPLATE, render
from updating import commit, git, replace, start

from variants import BUILDS


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


def test_a_folder_that_is_not_here(project, tmp_path):
    """On GitHub's machines: the job says so, and does not fail each week."""
    replace(project / ".copier-answers.yml", "_src_path: /", "_src_path: /elsewhere/")
    commit(project, "made on another machine")
    code, output = run_workflow(project, tmp_path)
    assert code == 0 and "::notice::The template is the folder /elsewhere/" in output, output
    assert "Nothing to update." in output and git(tmp_path / "remote", "branch") == ""


def test_only_one_step_has_the_token(project):
    text = (project / ".github/workflows/update.yml").read_text()
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert ["TOKEN" in str(step) for step in job["steps"]] == [False] * (len(job["steps"]) - 1) + [
        True
    ]
    assert "env" not in job
    assert job["steps"][0]["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("shown", ["normal", "no"])
def test_a_conflict_fails_and_names_the_file(shown, project, tmp_path):
    git(project, "config", "status.showUntrackedFiles", shown)
    replace(project / "README.md", "## Measuring", "## My figures")
    commit(project, "mine")
    code, output = run_workflow(project, tmp_path)
    assert code == 1
    error = next(line for line in output.splitlines() if line.startswith("::error::"))
    assert error.endswith("conflicts in README.md" + (".rej" if shown == "no" else ""))
    assert git(tmp_path / "remote", "branch") == ""
    assert (tmp_path / "calls").read_text() == ""


@pytest.fixture(
    scope="session", params=[None, *BUILDS], ids=lambda build: build or "this repository"
)
def github(request, tmp_path_factory) -> Path:
    """The folder .github of this repository, and of a project of each build."""
    if request.param is None:
        return TEMPLATE / ".github"
    folder = tmp_path_factory.mktemp("github") / "x"
    return render(folder, {"build": request.param}) / ".github"


def test_a_security_reviewer_signs(github):
    zizmor = [Path(sys.executable).with_name("zizmor"), "--offline", "--pedantic", github]
    result = subprocess.run(zizmor, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert "No findings to report" in result.stdout


def test_actionlint_finds_nothing(github):
    """It asks ShellCheck about scripts."""
    workflows = sorted(github.glob("workflows/*.yml"))
    actionlint, shellcheck = (
        Path(sys.executable).with_name(x) for x in ["actionlint", "shellcheck"]
    )
    command = [actionlint, "-shellcheck", shellcheck, *workflows]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert workflows and result.returncode == 0, result.stdout + result.stderr


# What sp-repo-review asks for and does not get: of this repository, and of a rendered project.
REFUSED = {
    "PY001": "it is no package",
    "PY006": "`./dev lint` and a test do what hooks would",
    "PP301": "it is no package",
    "NOX201": "./dev installs nox",
    "NOX202": "./dev starts nox",
    "NOX203": "./dev starts nox",
    "SEC001": "a test runs zizmor",
}
REFUSED_OF_PROJECTS = {
    "PY007": "each task is one command of README.md",
    "MY103": "`strict` and the tests, which call all that is public, see what matters of it",
    "MY104": "as MY103",
    "MY105": "as MY103",
    "MY106": "as MY103",
    "PC100": "ruff, clang-format and the tests see what matters of it",
    "PC140": "as MY103",
    "PC160": "no dictionary knows the words of GPUs",
    "PC170": "there is no reStructuredText",
    "PC180": "README.md comes from the template, as it is",
    "PC901": "hooks run where commits are made, and not on pre-commit.ci",
    "PC902": "as PC901",
    "PC903": "as PC901",
}


def test_what_sp_repo_review_asks_for(github):
    command = [sys.executable, "-m", "repo_review", github.parent, "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    checks = json.loads(result.stdout)["checks"]
    failed = {name for name, check in checks.items() if check["result"] is False}
    assert len(checks) > 40
    refused = REFUSED if github.parent == TEMPLATE else REFUSED_OF_PROJECTS
    assert failed == refused.keys()


def test_actions_are_pinned(github):
    """By hash, one for each action; a hash that Dependabot renews here, the template renews too."""
    used = re.compile(r"uses: (.+)")
    pin = re.compile(r"(actions|pypa)/[\w-]+@[0-9a-f]{40}  # v[\d.]+")
    texts = [path.read_text() for path in TEMPLATE.rglob("*.y*ml*") if ".nox" not in path.parts]
    everywhere = {name for text in texts for name in used.findall(text)}
    assert len({name.split("@")[0] for name in everywhere}) == len(everywhere)
    for path in github.glob("workflows/*.yml"):
        for name in used.findall(path.read_text()):
            assert pin.fullmatch(name) and name in everywhere, f"{name} in {path}"


def test_continuous_integration_runs_every_session_of_test():
    jobs = yaml.safe_load((TEMPLATE / ".github/workflows/test.yml").read_text())["jobs"]
    text = (TEMPLATE / "noxfile.py").read_text()
    halves = [
        re.search(rf"^{name} = (.*)", text, re.MULTILINE)[1] for name in ["HALF", "OTHER_HALF"]
    ]
    sessions = jobs["test"]["strategy"]["matrix"]["session"]
    assert sorted(sessions) == sorted(re.findall(r"\w+", "".join(halves)))


@pytest.mark.parametrize("build", BUILDS)
def test_a_tag_is_of_the_version(build, tmp_path):
    project = render(tmp_path / "x", {"build": build})
    steps = yaml.safe_load((project / ".github/workflows/release.yml").read_text())["jobs"]["sdist"]
    (compare,) = [step["run"] for step in steps["steps"] if "tag" in step.get("if", "")]

    def status(tag):
        command = ["bash", "-e", "-c", compare]
        environment = os.environ | {"GITHUB_REF_NAME": tag}
        return subprocess.run(command, cwd=project, env=environment, check=False).returncode

    assert [status("v0.1.0"), status("v0.1"), status("v0.2.0")] == [0, 1, 1]
    # The table for uv alone, where there is one, does not make a version.
    path = project / "pyproject.toml"
    before, _, after = path.read_text().rpartition('version = "0.1.0"')
    path.write_text(f'{before}version = "0.2.0"{after}')
    assert status("v0.2.0") == (1 if "version = " in before else 0)
