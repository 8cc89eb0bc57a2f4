"""The rendered workflow that keeps a project current, run here step by step."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from render import TEMPLATE, render
from requirements import requirements, to_audit
from updating import commit, git, replace, start
from workflows import TOKEN, holds, run_job

from variants import BUILDS, VARIANTS


@pytest.fixture
def remote(template, tmp_path) -> Path:
    """The remote of a project of the older template; the newer template has a tag too."""
    clone = tmp_path / "template"
    git(tmp_path, "clone", "-q", str(template), str(clone))
    git(clone, "tag", "0.0.2")
    project = render(tmp_path / "x", template=clone, vcs_ref="0.0.1")
    start(project)
    git(tmp_path, "init", "-q", "--bare", "remote")
    git(project, "push", "-q", str(tmp_path / "remote"), "HEAD")
    return tmp_path / "remote"


@pytest.fixture
def only_workflow(tmp_path) -> Path:
    """A remote with only the workflow, which is enough for the job that does not run Copier."""
    (workflow,) = TEMPLATE.glob("template/.github/workflows/*update.yml*")
    (tmp_path / "x/.github/workflows").mkdir(parents=True)
    shutil.copy(workflow, tmp_path / "x/.github/workflows/update.yml")
    start(tmp_path / "x")
    git(tmp_path, "clone", "-q", "--bare", "x", "remote")
    return tmp_path / "remote"


def run_workflow(remote: Path, jobs: list[str] | None = None) -> tuple[int, str]:
    """Run the jobs of update.yml, each in a fresh clone, and return the exit code and the output."""
    workflow = yaml.safe_load(git(remote, "show", "HEAD:.github/workflows/update.yml"))
    values = {"secrets.UPDATE_TOKEN || github.token": TOKEN}
    output = ""
    for name, job in workflow["jobs"].items():
        if (jobs is None or name in jobs) and (jobs or holds(job, values)):
            code, printed = run_job(name, job, values, remote)
            output += printed
            if code:
                return code, output
    return 0, output


def edit_and_push(remote: Path, branch: str, edit) -> None:
    """Commit an edit to a branch of the remote, as a person does."""
    person = remote.parent / "person"
    git(remote.parent, "clone", "-q", "-b", branch, str(remote), str(person))
    edit(person)
    commit(person, "mine")
    git(person, "push", "-q", "origin", branch)


def default_branch(remote: Path) -> str:
    return git(remote, "symbolic-ref", "--short", "HEAD").strip()


def test_an_update_becomes_a_pull_request(remote):
    # Files that a diff of text would lose: bytes, modes, links, names.
    added = remote.parent / "template" / "template"
    (added / "data.bin").write_bytes(bytes(range(256)))
    (added / "run it.sh").write_text("#!/bin/sh\n")
    (added / "run it.sh").chmod(0o755)
    (added / "größe.md").write_text("spaces at the end  \n")
    commit(added, "files")
    git(added, "tag", "0.0.3")

    code, output = run_workflow(remote)
    assert code == 0, output
    text = git(remote, "show", "template-update:README.md")
    assert "## Measure\n" in text
    # Nothing was lost between the jobs.
    proposed = git(remote, "rev-parse", "template-update^{tree}")
    assert proposed == git(remote.parent / "render", "write-tree")
    assert "100755" in git(remote, "ls-tree", "template-update", "run it.sh")
    calls = remote.parent / "calls"
    assert "pr create --head template-update --fill" in calls.read_text()

    # The next week finds the same update on the default branch, and the request still open.
    code, output = run_workflow(remote)
    assert code == 0, output
    assert calls.read_text().count("pr create") == 1

    # Merged: nothing is left to do.
    git(remote, "branch", "--force", default_branch(remote), "template-update")
    before = calls.read_text()
    code, output = run_workflow(remote)
    assert code == 0 and "Nothing to update." in output, output
    assert calls.read_text() == before


def test_commits_that_a_person_added_stay(remote):
    code, output = run_workflow(remote)
    assert code == 0, output
    edit_and_push(
        remote, "template-update", lambda clone: (clone / "mine.txt").write_text("mine\n")
    )

    code, output = run_workflow(remote)

    assert code == 1
    assert "ends in a commit of test@example.com" in output, output
    assert git(remote, "show", "template-update:mine.txt") == "mine\n"


def test_what_the_remote_refuses_is_shown(remote):
    """GitHub refuses changes of .github/workflows that its own token pushes."""
    refuse = remote / "hooks" / "pre-receive"
    refuse.write_text("#!/bin/sh\necho refusing to allow a GitHub App to update workflow\nexit 1\n")
    refuse.chmod(0o755)
    code, output = run_workflow(remote)
    assert code != 0 and "refusing to allow a GitHub App to update workflow" in output
    assert "pr create" not in (remote.parent / "calls").read_text()


def test_a_folder_that_is_not_here(remote):
    """On GitHub's machines the job prints a notice, and does not fail each week."""
    edit_and_push(
        remote,
        default_branch(remote),
        lambda x: replace(x / ".copier-answers.yml", "_src_path: /", "_src_path: /elsewhere/"),
    )
    code, output = run_workflow(remote)
    assert code == 0 and "::notice::The template is the folder /elsewhere/" in output, output
    assert "template-update" not in git(remote, "branch")


def hostile_hook(remote: Path) -> str:
    """Return a hook that saves its environment. A real one would send the token."""
    return f"#!/bin/sh\nenv >> {remote.parent / 'stolen'}\n"


def test_a_template_that_writes_hooks_gets_no_token(remote):
    """Copier's sandbox is not about paths: a hidden answer names the folder, and `_exclude` no longer lists .git."""
    clone = remote.parent / "template"
    with (clone / "copier.yml").open("a") as questions:
        questions.write("\n_exclude: [copier.yml]\n")
        questions.write("hooks: {type: str, when: false, default: .git/hooks}\n")
    folder = clone / "template" / "{{ hooks }}"
    folder.mkdir()
    for name in ["post-index-change", "pre-commit", "post-commit", "pre-push"]:
        (folder / name).write_text(hostile_hook(remote))
        (folder / name).chmod(0o755)
    commit(clone, "hostile")
    git(clone, "tag", "0.0.3")

    code, output = run_workflow(remote)

    assert code == 0, output
    # The hooks ran, but only where there is no token. The pull request has the rest of the update.
    assert "RUNNER_TEMP=" in (remote.parent / "stolen").read_text()
    assert TOKEN not in (remote.parent / "stolen").read_text()
    assert "## Measure\n" in git(remote, "show", "template-update:README.md")


REFUSED_PATHS = {
    "hook": ".git/hooks/pre-push",
    "upper case": ".GIT/hooks/pre-push",
    "nested": "docs/.git/hooks/pre-push",
    "above": "../propose/.git/hooks/pre-push",
    "absolute": "{folder}/propose/.git/hooks/pre-push",
    "link": "link/pre-push",
}


def added_file(path: str, text: str, mode: str = "100755") -> str:
    lines = [f"+{line}\n" for line in text.splitlines()]
    return (
        f"diff --git a/{path} b/{path}\nnew file mode {mode}\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1,{len(lines)} @@\n{''.join(lines)}"
    )


def propose(remote: Path, patch: str) -> tuple[int, str]:
    """Run the job `propose` with a diff that no `git diff` wrote."""
    artifact = remote.parent / "template-update"
    artifact.mkdir()
    (artifact / "update.patch").write_text(patch)
    return run_workflow(remote, ["propose"])


@pytest.mark.parametrize("path", REFUSED_PATHS.values(), ids=REFUSED_PATHS)
def test_a_hostile_diff_is_refused(path, only_workflow):
    """Whatever a template did to the job `render`, the diff is all that it hands over."""
    folder = only_workflow.parent
    link = (
        added_file("link", ".git/hooks\n", "120000").rstrip() + "\n\\ No newline at end of file\n"
    )
    path = path.format(folder=folder)
    patch = added_file(path, hostile_hook(only_workflow))
    code, output = propose(only_workflow, (link if path.startswith("link") else "") + patch)
    assert code != 0 and "error: " in output, output
    assert not (folder / "stolen").exists()
    assert "template-update" not in git(only_workflow, "branch")


def test_filters_do_not_run_on_a_diff(only_workflow, monkeypatch):
    """A runner has filters in its configuration, such as git-lfs."""
    folder = only_workflow.parent
    (folder / "filter").write_text(hostile_hook(only_workflow) + "cat\n")
    (folder / "filter").chmod(0o755)
    count = int(os.environ["GIT_CONFIG_COUNT"])
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(count + 2))
    for i, name in enumerate(["clean", "smudge"], start=count):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{i}", f"filter.lfs.{name}")
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{i}", str(folder / "filter"))
    patch = added_file("more/.gitattributes", "* filter=lfs\n", "100644")
    patch += added_file("more/data.txt", "data\n", "100644")
    code, output = propose(only_workflow, patch)
    assert code == 0, output
    assert git(only_workflow, "show", "template-update:more/data.txt") == "data\n"
    assert not (folder / "stolen").exists()


def test_only_one_step_has_the_token(only_workflow):
    jobs = yaml.safe_load(git(only_workflow, "show", "HEAD:.github/workflows/update.yml"))["jobs"]
    render, propose = jobs["render"], jobs["propose"]
    assert render["permissions"] == {"contents": "read"}
    assert not re.search("token|secrets", str(render), re.IGNORECASE)
    assert ["TOKEN" in str(step) for step in propose["steps"]] == [False, False, False, True]
    assert "env" not in propose and "copier" not in str(propose)
    assert propose["environment"] == "template-update"
    for job in [render, propose]:
        assert job["steps"][0]["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("shown", ["normal", "no"])
def test_a_conflict_fails_and_names_the_file(shown, remote, monkeypatch):
    count = int(os.environ["GIT_CONFIG_COUNT"])
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(count + 1))
    monkeypatch.setenv(f"GIT_CONFIG_KEY_{count}", "status.showUntrackedFiles")
    monkeypatch.setenv(f"GIT_CONFIG_VALUE_{count}", shown)
    edit_and_push(
        remote,
        default_branch(remote),
        lambda x: replace(x / "README.md", "## Measuring", "## My figures"),
    )
    code, output = run_workflow(remote)
    assert code == 1
    error = next(line for line in output.splitlines() if line.startswith("::error::"))
    assert error.endswith("conflicts in README.md" + (".rej" if shown == "no" else ""))
    assert "template-update" not in git(remote, "branch")
    assert (remote.parent / "calls").read_text() == ""


@pytest.fixture(
    scope="session", params=[None, *BUILDS], ids=lambda build: build or "this repository"
)
def github(request, tmp_path_factory) -> Path:
    """The folder .github of this repository, and of a project of each build."""
    if request.param is None:
        return TEMPLATE / ".github"
    folder = tmp_path_factory.mktemp("github") / "x"
    return render(folder, {"build": request.param}) / ".github"


@pytest.fixture(scope="session")
def workflows(tmp_path_factory) -> Path:
    """A folder with all workflows: of this repository, and of each variant in core and in full."""
    folder = tmp_path_factory.mktemp("workflows")
    shutil.copytree(TEMPLATE / ".github", folder / "this" / ".github")
    # What follows from autograd is in no workflow.
    for build, binding in sorted({(x.build, x.binding or "") for x in VARIANTS}):
        for extent in ["core", "full"]:
            answers = {"build": build} | ({"binding": binding} if binding else {})
            destination = folder / "-".join(filter(None, [build, binding, extent]))
            render(destination, answers, extent=extent, exclude=["*", "!.github"])
    return folder


# Of zizmor's pedantic findings, those that stay, each with its reason: rules, as zizmor calls them.
EXCEPTIONS: dict[str, str] = {}


def test_a_security_reviewer_signs(workflows):
    zizmor = Path(sys.executable).with_name("zizmor")
    command = [zizmor, "--offline", "--pedantic", "--format=json-v1", workflows]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {
        (finding["ident"], finding["locations"][0]["symbolic"]["key"]["Local"]["given_path"])
        for finding in json.loads(result.stdout)
    }
    assert {ident for ident, _ in found} == EXCEPTIONS.keys(), found
    ignored = [path for path in workflows.rglob("*.yml") if "zizmor:" in path.read_text()]
    assert ignored == [], "an exception has its reason here"


def test_actionlint_finds_nothing(workflows):
    """It asks ShellCheck about scripts."""
    actionlint, shellcheck = (
        Path(sys.executable).with_name(x) for x in ["actionlint", "shellcheck"]
    )
    found = sorted(workflows.rglob("workflows/*.yml"))
    assert len(found) > 4 * len(BUILDS)
    command = [actionlint, "-shellcheck", shellcheck, *found]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("workflow", ["update", "gpu", "release"])
def test_an_environment_protects(workflow, workflows):
    """The page or comment about its protection names it, and asks for reviewers."""
    path = workflows / "setuptools-torch_library-full/.github/workflows" / f"{workflow}.yml"
    text = path.read_text()
    environments = [str(x.get("environment", "")) for x in yaml.safe_load(text)["jobs"].values()]
    (name,) = {re.search("([a-z-]+)(?:' [|]|$)", x)[1] for x in environments if x}
    page = next(TEMPLATE.glob("template/*docs*/releasing.md.jinja")) if name == "pypi" else path
    assert re.search(rf"`{name}`[^`]*\breviewers?\b", page.read_text().replace("\n#", " "))


def test_caches_of_a_machine_with_a_gpu_end_with_the_run(workflows, tmp_path):
    path = workflows / "setuptools-torch_library-full/.github/workflows/gpu.yml"
    steps = yaml.safe_load(path.read_text())["jobs"]["gpu"]["steps"]
    (script,) = [step["run"] for step in steps if "caches" in step.get("name", "")]
    script = script.replace("python -m venv", "mkdir -p")
    files = {"GITHUB_ENV": str(tmp_path / "env"), "GITHUB_PATH": str(tmp_path / "path")}
    environment = os.environ | files | {"RUNNER_TEMP": str(tmp_path)}
    subprocess.run(["bash", "-ec", script], env=environment, check=True)
    lines = (tmp_path / "env").read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines)
    assert {"HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCH_EXTENSIONS_DIR"} <= values.keys()
    assert all(Path(x).is_dir() and x.startswith(str(tmp_path)) for x in values.values())


def test_a_tool_has_one_version():
    """In noxfile.py, workflows, hooks, projects and pages, a tool has one pinned version and one oldest version."""
    found = requirements()
    assert len(found) > 20 and {("zizmor", "=="), ("copier", ">=")} <= found.keys()
    several = {name: versions for (name, _), versions in found.items() if len(versions) > 1}
    # PyTorch is tested in several versions; sessions of this repository need pytest 8, see GROUPS in noxfile.py.
    assert several.keys() <= {"torch", "pytest"}, several
    questions = yaml.safe_load((TEMPLATE / "copier.yml").read_text())
    assert found["copier", ">="] == {questions["_min_copier_version"]}


def test_lint_runs_the_hooks():
    hooks = yaml.safe_load((TEMPLATE / ".pre-commit-config.yaml").read_text())["repos"]
    ids = [hook["id"] for repository in hooks for hook in repository["hooks"]]
    session = (TEMPLATE / "noxfile.py").read_text().split("def lint(")[1].split("@nox")[0]
    ran = re.findall(r'session\.run\("([\w-]+)", (?:"([\w/.]+)")?', session)
    hook_of = {"ruff": "ruff-{}", "zizmor": "zizmor", "python": "words"}
    assert [hook_of[name].format(more) for name, more in ran] == ids


def test_all_that_is_required_is_audited(workflows):
    lists = to_audit()
    for some in lists:
        names = [line.split("==")[0] for line in some]
        assert len(names) == len(set(names)), "pip-audit refuses two versions in a file"
    audited = {line for some in lists for line in some}
    noxfile = re.findall(
        r'"([\w-]+)(?:\[.*?\])?[=>]=([\d.]+)[",]', (TEMPLATE / "noxfile.py").read_text()
    )
    installed = "\n".join(path.read_text() for path in workflows.rglob("workflows/*.yml"))
    rendered = re.findall(r"([\w-]+)[=>]=([\d.]+)(?![\d.*])", installed)
    assert len(noxfile) > 20 and len(rendered) > 100
    assert {f"{name}=={version}" for name, version in noxfile + rendered} <= audited
    jobs = yaml.safe_load((TEMPLATE / ".github/workflows/test.yml").read_text())["jobs"]
    assert {"run": "./dev audit"} in jobs["audit"]["steps"] and "schedule" in jobs["audit"]["if"]


# What sp-repo-review asks for and does not get: of this repository, and of a rendered project.
REFUSED = {
    "PY001": "it is no package",
    "PP301": "it is no package",
    "NOX201": "./dev installs nox",
    "NOX202": "./dev starts nox",
    "NOX203": "./dev starts nox",
    "PC100": "tests see what matters of it",
    "PC140": "tests call the code with types that matter",
    "PC160": "no dictionary knows the words of GPUs",
    "PC170": "there is no reStructuredText",
    "PC180": "tools/words.py and tests read the pages",
    "PC901": "hooks run where commits are made, and not on pre-commit.ci",
    "PC902": "as PC901",
    "PC903": "as PC901",
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
# Of projects whose wheels ask for the PyTorch that they were compiled with.
FOR_ONE_PYTORCH = {"PP006": "uv ignores a group of a project whose `dependencies` are dynamic"}


def test_what_sp_repo_review_asks_for(github):
    command = [sys.executable, "-m", "repo_review", github.parent, "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    checks = json.loads(result.stdout)["checks"]
    failed = {name for name, check in checks.items() if check["result"] is False}
    assert len(checks) > 40
    refused = REFUSED if github.parent == TEMPLATE else REFUSED_OF_PROJECTS
    if (github.parent / "setup.py").exists() or (github.parent / "CMakeLists.txt").exists():
        refused = refused | FOR_ONE_PYTORCH
    assert failed == refused.keys()


def test_actions_are_pinned(github):
    """Each action has one hash. A hash that Dependabot renews here is renewed in rendered workflows too."""
    used = re.compile(r"uses: (.+)")
    pin = re.compile(
        r"(actions|pypa)/[\w-]+@[0-9a-f]{40}  # v[\d.]+|\$/\.github/workflows/\w+\.yml"
    )
    # Not all files: other sessions make some at the same time, and delete them.
    listed = ["git", "ls-files", "*.yml*", "*.yaml*"]
    names = subprocess.run(listed, cwd=TEMPLATE, capture_output=True, text=True, check=True).stdout
    texts = [(TEMPLATE / name).read_text() for name in names.splitlines()]
    everywhere = {name for text in texts for name in used.findall(text)}
    assert len({name.split("@")[0] for name in everywhere}) == len(everywhere)
    for path in github.glob("workflows/*.yml"):
        for name in used.findall(path.read_text()):
            assert pin.fullmatch(name) and name in everywhere, f"{name} in {path}"


def test_continuous_integration_runs_every_session_of_test():
    jobs = yaml.safe_load((TEMPLATE / ".github/workflows/test.yml").read_text())["jobs"]
    text = (TEMPLATE / "noxfile.py").read_text()
    tests = re.search(r"^TESTS = (.*)", text, re.MULTILINE)[1]
    sessions = jobs["test"]["strategy"]["matrix"]["session"]
    assert sorted(sessions) == sorted(re.findall(r"\w+", tests))


@pytest.mark.parametrize("build", BUILDS)
def test_a_tag_is_of_the_version(build, tmp_path):
    project = render(tmp_path / "x", {"build": build})
    steps = yaml.safe_load((project / ".github/workflows/release.yml").read_text())["jobs"]["sdist"]
    (compare,) = [step["run"] for step in steps["steps"] if "tag" in step.get("if", "")]

    def status(tag):
        command = ["bash", "-e", "-c", compare]
        environment = os.environ | {"GITHUB_REF_NAME": tag}
        return subprocess.run(command, cwd=project, env=environment, check=False).returncode

    assert [status("v0.1.0"), status("v0.1"), status("v0.2.0"), status("v0x1.0")] == [0, 1, 1, 1]
    # Some projects have a second version, for uv; both must be the version of the tag.
    path = project / "pyproject.toml"
    text = path.read_text()
    before, _, after = text.rpartition('version = "0.1.0"')
    path.write_text(f'{before}version = "0.2.0"{after}')
    assert status("v0.2.0") == (1 if "version = " in before else 0)
    path.write_text(re.sub("^version = .*\n", "", text, flags=re.MULTILINE))
    assert [status("v0.1.0"), status("v")] == [1, 1]


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_wheels_are_for_both_machines_and_named_gpus(build, workflows):
    """PyPI's PyTorch has CUDA for x86_64 and aarch64. nvcc lists 10.0 and 12.0 from CUDA 12.8 on."""
    path = workflows / f"{build}-torch_library-full/.github/workflows/release.yml"
    jobs = yaml.safe_load(path.read_text())["jobs"]
    for job in jobs["wheels"], jobs["test"]:
        matrix = job["strategy"]["matrix"]
        machines = {x["machine"]: x["runner"] for x in matrix["include"] if "machine" in x}
        assert machines == {"x86_64": "ubuntu-24.04", "aarch64": "ubuntu-24.04-arm"}
        assert matrix["machine"] == list(machines) and job["runs-on"] == "${{ matrix.runner }}"
    (step,) = [step for step in jobs["wheels"]["steps"] if "env" in step]
    assert step["env"]["CIBW_BUILD"].endswith("-manylinux_${{ matrix.machine }}")
    assert "du -h wheels/" in step["run"]
    variables = dict(
        x.split("=", 1) for x in shlex.split(step["env"]["CIBW_ENVIRONMENT"]) if "=" in x
    )
    gpus = variables["CUDAARCHS" if build == "cmake" else "TORCH_CUDA_ARCH_LIST"].split(";")
    numbers = ["".join(filter(str.isdigit, x)) for x in gpus]
    assert numbers == ["80", "90", "100", "120"]
    # The last one has PTX, for later GPUs.
    assert [x.endswith("-real") for x in gpus] == [build == "cmake"] * 3 + [False]
    assert gpus[-1] == ("120" if build == "cmake" else "12.0+PTX")
