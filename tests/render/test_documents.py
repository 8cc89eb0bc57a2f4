"""The pages show the current questions, projects and files."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import yaml
from render import TEMPLATE
from updating import copy_template, git, start, update

MAKE_AGAIN = "./dev documents makes it again"


def run(script: str, *arguments: str | Path) -> str:
    command = [sys.executable, TEMPLATE / "docs" / script, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_the_examples_are_what_is_rendered(tmp_path):
    run("example.py", tmp_path / "examples")
    folder, fresh = TEMPLATE / "examples", tmp_path / "examples"
    tracked = git(folder, "ls-files", "-co", "--exclude-standard").splitlines()  # no caches
    shown = {name: (folder / name).read_text() for name in tracked}
    files = (path for path in fresh.rglob("*") if path.is_file())
    rendered = {str(path.relative_to(fresh)): path.read_text() for path in files}
    assert shown.keys() == rendered.keys(), MAKE_AGAIN
    assert [name for name in shown if shown[name] != rendered[name]] == [], MAKE_AGAIN
    # The example in core sets no line length.
    ruff = [sys.executable, "-m", "ruff", "format", "--no-cache", "--line-length=100", "--check"]
    subprocess.run([*ruff, fresh], cwd=fresh, check=True)


def test_the_picture_of_the_questions_is_current(tmp_path):
    run("prompts.py", tmp_path / "prompts.svg")
    picture = (TEMPLATE / "docs" / "prompts.svg").read_text()
    assert "»" in picture and "swiglu" in picture
    assert (tmp_path / "prompts.svg").read_text() == picture, MAKE_AGAIN


def test_the_pictures_are_current_and_name_files(tmp_path):
    run("pictures.py", tmp_path)
    listed = git(TEMPLATE, "ls-files", "-co", "--exclude-standard").splitlines()
    names = {Path(name).name.removesuffix(".jinja") for name in listed}
    names |= {Path(name).name for name in listed}
    for picture in ["rendering.svg", "call.svg"]:
        text = (tmp_path / picture).read_text()
        assert (TEMPLATE / "docs" / picture).read_text() == text, MAKE_AGAIN
        named = set(re.findall(r"[\w.]+\.(?:py|h|cuh|cpp|cu|jinja|yml)\b", text))
        assert len(named) > 4 and named <= names, named - names


def test_the_front_page_quotes_the_example():
    folder = TEMPLATE / "examples" / "my_ops"
    page = (TEMPLATE / "README.md").read_text()
    (math,) = re.findall(r"^```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert math in (folder / "my_ops/csrc/muladd/muladd.h").read_text()
    tree = page.split("## The rendered repository")[1].split("```")[1]
    # The kit's files are only in the template.
    paths = [*folder.rglob("*"), *(TEMPLATE / "template").rglob("*")]
    named = set(re.findall(r"[\w.-]+\.(?:py|h|cpp|cu|cuh|toml|md|yaml)\b", tree))
    assert named <= {path.name for path in paths}


def blocks(page: str) -> list[str]:
    text = (TEMPLATE / page).read_text()
    return re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "examples/my_ops/README.md"])
def test_both_readmes_say_what_the_first_failure_needs(page):
    """They name `pytest -x`, the compiler's errors, and the files to edit."""
    text = (TEMPLATE / page).read_text()
    assert "pytest -x" in text and re.search("edit only|do not edit", text)
    assert re.search("compiles, or shows|shows a\\s+compiler's errors", text)


def test_the_address_of_the_template_is_one():
    """Commands for a clone can be pasted unchanged; the remote address has one form."""
    for page in ["README.md", "docs/tutorial.md", "docs/questions.md"]:
        text = (TEMPLATE / page).read_text()
        (command, *_) = [line for line in text.splitlines() if line.startswith("copier copy ")]
        assert command.split()[-2:][0] == ".", command
        assert "TEMPLATE" not in text
    for page in ["README.md", "docs/tutorial.md"]:
        assert "`gh:OWNER/copier-torch-op`" in (TEMPLATE / page).read_text()
    # A placeholder is named where somebody who releases a copy of this template reads it.
    placed = {name for name in git(TEMPLATE, "grep", "-lw", "OWNER", "--", ".", ":!tests").split()}
    page = (TEMPLATE / "docs" / "releasing.md").read_text()
    assert {x for x in placed if f"`{x}`" not in page} == {"docs/releasing.md"}


def test_its_commands_work_in_a_clone(tmp_path):
    clone = copy_template(tmp_path / "clone", whole=True)
    start(clone)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    install, copy = blocks("README.md")[0].splitlines()
    assert install.startswith("pip install ")
    # Enter all the way, and the commands of further pages as they are.
    for command in [f"{copy} --defaults", blocks("docs/questions.md")[0]]:
        subprocess.run(
            ["bash", "-ec", command], cwd=clone, env=os.environ | {"PATH": path}, check=True
        )
    rendered, example = tmp_path / "my_ops", TEMPLATE / "examples" / "my_ops"
    header = "my_ops/csrc/muladd/muladd.h"
    assert (rendered / header).read_text() == (example / header).read_text()
    assert (tmp_path / "fused_ops" / "fused_ops" / "ops" / "swiglu.py").exists()
    # And the project finds the template again.
    start(rendered)
    update(rendered)
    assert git(rendered, "status", "--porcelain") == ""


def test_what_github_reads_parses():
    folder = TEMPLATE / ".github" / "ISSUE_TEMPLATE"
    chooser = yaml.safe_load((folder / "config.yml").read_text())
    for link in chooser["contact_links"]:
        assert link.keys() == {"name", "url", "about"} and link["url"].startswith("https://")
    forms = [path for path in folder.glob("*.yml") if path.name != "config.yml"]
    assert forms
    for form in map(yaml.safe_load, (path.read_text() for path in forms)):
        assert form.keys() == {"name", "description", "body"}
        ids = [field["id"] for field in form["body"]]
        assert len(ids) == len(set(ids)) and all(x["attributes"]["label"] for x in form["body"])
    citation = yaml.safe_load((TEMPLATE / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors", "license"} <= citation.keys()


PAGES = [*TEMPLATE.glob("*.md"), *TEMPLATE.glob("docs/**/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\((?!https?://|mailto:)([^)]+)\)", text):
        path, _, heading = target.partition("#")
        other = page.parent / path if path else page
        assert other.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", other.read_text(), re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]
            assert heading in anchors, target


# The other pages name files of a rendered project.
ABOUT_FILES = [*map(TEMPLATE.joinpath, ["CONTRIBUTING.md", "docs/design.md", "docs/facts.md"])]
ABOUT_FILES += [*TEMPLATE.glob("docs/measurements/*.md"), *TEMPLATE.glob("docs/decisions/*.md")]


@pytest.mark.parametrize("page", ABOUT_FILES, ids=lambda page: page.name)
def test_files_that_are_named_are_there(page):
    folders = "docs|hooks|questions|template|tests|tools|variants"
    for name in re.findall(rf"(?<![\w/.-])(?:{folders})/[\w./-]+(?![\w<{{*])", page.read_text()):
        assert (TEMPLATE / name.rstrip(".")).exists(), name


def test_what_is_no_answer_is_named_where_the_checkout_is_rendered(tmp_path):
    tool = TEMPLATE / "tools" / "render_checkout.py"
    command = [sys.executable, tool, tmp_path / "my_ops", "rowwise"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stderr.splitlines()[-1].endswith(
        "rowwise is no answer: write question=answer, as in kernel=rowwise"
    )


def test_the_demo_calls_its_operator_measures_it_and_says_how_to_go_on(monkeypatch):
    """Checks the commands without nox, because installing takes minutes."""
    nox = ModuleType("nox")
    nox.needs_version, nox.options, nox.Session = "", SimpleNamespace(), object
    nox.session = lambda function=None, **options: function or (lambda inner: inner)
    monkeypatch.setitem(sys.modules, "nox", nox)
    commands, lines = [], []
    session = SimpleNamespace(
        install=lambda *packages: None,
        run=lambda *command, **options: commands.append(command),
        chdir=lambda folder: None,
        log=lines.append,
        virtualenv=SimpleNamespace(location="/environment"),
    )
    runpy.run_path(str(TEMPLATE / "noxfile.py"))["demo"](session)
    programs = [" ".join(command) for command in commands]
    install, test, call, measure = programs[-4:]
    assert install.startswith("pip install -q ") and test.startswith("pytest")
    assert "my_ops.muladd(" in call and "benchmarks/bench_muladd.py" in measure
    assert "cd demo" in lines[-1] and "source /environment/bin/activate" in lines[-1]
    assert "muladd.h" in lines[-1] and "copier copy" in lines[-1]


def test_a_decision_has_its_parts_and_a_line_in_the_index():
    records = sorted(TEMPLATE.glob("docs/decisions/*.md"))
    index = (TEMPLATE / "docs" / "design.md").read_text()
    listed = re.findall(r"\(decisions/(.*)\)$", index, re.MULTILINE)
    assert sorted(listed) == [x.name for x in records]
    for number, record in enumerate(records, start=1):
        text = record.read_text()
        parts = r"# \d+\. .+\n\n(Accepted|Superseded).+\n\n\*\*Context\..*\*\*Choice\..*\*\*Consequence\."
        assert re.match(parts, text, re.DOTALL), record.name
        assert record.name.startswith(f"{number:04}-") and text.startswith(f"# {number}. ")
        # Both sides of a replacement name each other.
        for other in re.findall(r"^Superseded by \[.*\]\((.*)\)", text, re.MULTILINE):
            assert f"Supersedes [{number}]({record.name})" in (record.parent / other).read_text()


def patterns_of(cell: str) -> list[str]:
    """Return a pattern of each path in a cell of docs/extending.md.

    A path begins at the root, in template/, or below the folder of the first path in these backticks, or in earlier ones.
    """
    pattern = lambda path: re.sub(r"<\w+>|\\\*", "[^/]+", re.escape(path))
    patterns = []
    below = ""
    for span in re.findall("`([^`]+)`", cell):
        paths = re.findall(r"(?:\{\{.*?\}\}|\{%.*?%\}|[^\s{])+", span)
        for path in paths:
            text = pattern(path) + ".*" * path.endswith("/")
            patterns.append(f"(template/)?{below}{text}")
            if path == paths[0] and "/" in path:
                below = f"({pattern(path.rpartition('/')[0])}/(.*/)?)?"
    return patterns


SECTIONS = ["kernel", "build", "dtype", "argument type", "check that all projects run"]


@pytest.mark.parametrize("subject", SECTIONS)
def test_the_page_on_extending_names_every_file(subject):
    """Its own commands find them, by a choice that exists. Each file that a list names exists."""
    page = (TEMPLATE / "docs" / "extending.md").read_text()
    (title,) = re.findall(rf"^## Add an? {subject}$", page, re.MULTILINE)
    section = page.split(f"\n{title}\n")[1].split("\n## ")[0]
    files = git(TEMPLATE, "ls-files", "-co", "--exclude-standard").splitlines()
    _, *parts = re.split(r"^```\n(git grep .*)\n```$", section, flags=re.MULTILINE)
    assert parts
    for command, table in zip(parts[::2], parts[1::2], strict=True):
        cells = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
        named = [pattern for cell in cells for pattern in patterns_of(cell)]
        assert [x for x in named if not any(re.fullmatch(x, file) for file in files)] == []
        found = subprocess.run(
            ["bash", "-ec", command], cwd=TEMPLATE, capture_output=True, text=True, check=True
        )
        paths = found.stdout.splitlines()
        assert len(paths) > 4, command
        assert [x for x in paths if not any(re.fullmatch(y, x) for y in named)] == [], command


def test_no_two_test_files_have_one_name():
    """pytest imports them by their names and collects only the first."""
    names = [path.name for path in (TEMPLATE / "tests").rglob("test_*.py")]
    assert sorted(set(names)) == sorted(names)
