"""Projects follow the template: nothing a user did is lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import copier
import pytest
import yaml
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from refusals import code_of, read, reason, sentence_of
from render import TEMPLATE, files, render
from updating import commit, copy_template, git, obey, replace, start, update

from variants import BUILDS, COVERING, VARIANTS


@pytest.fixture(scope="session", params=COVERING, ids=str)
def variant(request):
    return request.param


def test_each_two_answers_are_updated_together():
    for axes in ("build", "binding"), ("binding", "autograd"):
        updated, offered = (
            {tuple(getattr(v, axis) for axis in axes) for v in variants}
            for variants in (COVERING, VARIANTS)
        )
        assert updated == offered


def same(a: Path, b: Path) -> None:
    left, right = files(a), files(b)
    assert list(left) == list(right)
    for name, text in right.items():
        if name != ".copier-answers.yml":
            assert left[name] == text, name


def test_an_updated_project_is_a_fresh_one_with_its_edits(template, variant, tmp_path):
    """Deletions and new files of the user stay too."""
    project = render(tmp_path / "old", variant.answers, template=template, vcs_ref="0.0.1")
    edits = {
        "my_ops/csrc/muladd/muladd.h": ("out = a * b + c;", "out = a * b - c;"),
        "my_ops/csrc/muladd/muladd_cuda.cu": (
            "return cudaGetLastError();",
            "/*mine*/ return cudaGetLastError();",
        ),
        "my_ops/ops/muladd.py": ("return a * b + c", "return a * b - c"),
        "tests/test_muladd.py": (
            "return torch.randn(shape",
            "return 2 * torch.randn(shape",
        ),
    }
    if variant.autograd == "function":
        edits["my_ops/ops/muladd.py"] = (
            "return grad_a, grad_b, None",
            "return 2 * grad_a, grad_b, None",
        )
    fresh = render(tmp_path / "new", variant.answers, template=template)
    assert (project / "README.md").read_text() != (fresh / "README.md").read_text()
    for folder in project, fresh:
        for name, (old, new) in edits.items():
            text = (folder / name).read_text()
            assert old in text, name
            (folder / name).write_text(text.replace(old, new))
        (folder / "benchmarks/bench_muladd.py").unlink()
        (folder / "my_ops/extra.py").write_text("ANSWER = 42\n")
    start(project)
    # What git ignores, Copier overwrites.
    committed = git(project, "ls-files").splitlines()
    assert set(committed) == {Path(name).as_posix() for name in files(project)}
    update(project)
    same(project, fresh)
    assert git(project, "ls-files", "-u") == ""


@pytest.mark.parametrize("build", BUILDS)
def test_an_update_to_what_is_there_changes_nothing(build, template, tmp_path):
    project = render(tmp_path / "x", {"build": build}, template=template)
    start(project)
    update(project)
    assert git(project, "status", "--porcelain") == ""


RELEASE_0_6_0 = "1a0ba03"
RELEASE_0_7_0 = "3e0e3da"

OWN_RULE = '''
def of_mine(a, b):
    """Rows, and nothing else."""
    yield Shard(0), [Shard(0), Shard(0)]


# EDIT: an operator in which parts would meet'''


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> Path:
    """This checkout, uncommitted changes included, after its history, which has release 0.6.0."""
    clone = tmp_path_factory.mktemp("released") / "clone"
    git(TEMPLATE, "clone", "-q", ".", str(clone))
    if f"\n{RELEASE_0_6_0}" not in git(clone, "rev-list", "--all"):
        pytest.skip("a shallow clone has no 0.6.0")
    git(clone, "rm", "-qr", ".")
    copy_template(clone)
    commit(clone, "newer")
    return clone


def test_a_formula_that_was_edited_in_0_7_0_stays(released, tmp_path):
    """The marks moved from its docstrings into comments, away from lines that an author edits."""
    project = render(tmp_path / "x", template=released, vcs_ref=RELEASE_0_7_0)
    module, tests = project / "my_ops/ops/muladd.py", project / "tests/test_muladd.py"
    replace(module, "    return a * b + c\n", "    return torch.tanh(a) * b + c\n")
    replace(tests, "return torch.randn(shape", "return torch.rand(shape")
    replace(tests, "    name = ", "    rtol = {torch.float16: 1e-2}\n\n    name = ")
    start(project)
    update(project)
    assert git(project, "ls-files", "-u") == ""
    assert "    return torch.tanh(a) * b + c\n" in module.read_text()
    assert "return torch.rand(shape" in tests.read_text() and "rtol = {" in tests.read_text()
    assert [path.name for path in project.glob("tests/my_ops_suite*")] == ["my_ops_suite"]


@pytest.mark.parametrize(
    "answers",
    [{}, {"build": "nvrtc", "more_ops": "gate(Tensor x, Tensor y)\nrowwise: norm(Tensor x)"}],
    ids=["one", "several"],
)
def test_rules_that_were_edited_in_0_6_0_are_conflicts(released, tmp_path, answers):
    """The owner's text is right in each conflict. No edit is dropped, and unedited lines do not conflict."""
    project = render(tmp_path / "x", answers, extent=None, template=released, vcs_ref=RELEASE_0_6_0)
    vmap, sharding = project / "my_ops/_vmap.py", project / "my_ops/_sharding.py"
    replace(vmap, '"muladd"', '"mine"')
    replace(sharding, '"muladd": any_dimension', '"muladd": whole')
    if "more_ops" in answers:
        replace(sharding, '"norm": rows', '"norm": of_mine')
        replace(sharding, "# EDIT: an operator in which parts would meet", OWN_RULE.lstrip())
    start(project)
    update(project)
    conflicts = {line.split("\t")[1] for line in git(project, "ls-files", "-u").splitlines()}
    assert conflicts == {"my_ops/_vmap.py", "my_ops/_sharding.py"}
    assert '"mine"' in vmap.read_text() and "REPLICATE = True" in vmap.read_text()
    fresh = render(tmp_path / "fresh", answers, template=released)
    expected = (fresh / "my_ops/_sharding.py").read_text()
    comment = "    # Other operators have the rules in `SHARDED` of `_project.py`.\n"
    rules = '    "muladd": whole,\n'
    if "more_ops" in answers:
        place = "# EDIT: an operator in which parts would meet"
        expected = expected.replace(place, OWN_RULE.lstrip())
        rules = f'    "gate": any_dimension,\n{rules}    "norm": of_mine,\n'
    both = f"<<<<<<< before updating\n{rules}=======\n{comment}>>>>>>> after updating\n"
    assert sharding.read_text() == expected.replace(comment, both)
    assert "REPLICATE = False" in (project / "my_ops/ops/muladd.py").read_text()
    assert not (project / "my_ops/_import_hook.py").exists()


@pytest.mark.parametrize("autograd", ["function", "none"])
def test_a_project_from_before_extents_stays_full(released, autograd, tmp_path):
    """An update, Enter at each question, and a new copy are tested. Core would delete the workflows of full."""
    answers = {"autograd": autograd}
    project = render(tmp_path / "x", answers, extent=None, template=released, vcs_ref=RELEASE_0_6_0)
    start(project)
    fresh = render(tmp_path / "fresh", answers, template=released)
    update(project)
    same(project, fresh)
    assert "extent: full" in (project / ".copier-answers.yml").read_text()
    git(project, "reset", "-q", "--hard")
    git(project, "clean", "-q", "-d", "--force")
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("\r" * 20)
        copier.run_update(str(project), vcs_ref="HEAD", overwrite=True, quiet=True)
    same(project, fresh)
    git(project, "reset", "-q", "--hard")
    git(project, "clean", "-q", "-d", "--force")
    copier.run_recopy(str(project), defaults=True, overwrite=True, quiet=True, vcs_ref="HEAD")
    assert "extent: full" in (project / ".copier-answers.yml").read_text()
    assert all(
        (project / name).read_text() == text
        for name, text in files(fresh).items()
        if name[0] != "."
    )


@pytest.mark.parametrize("build", ["setuptools", "jit"])
def test_full_is_added_on_any_day_and_core_is_refused(template, build, tmp_path):
    answers = {"build": build, "extent": "core"}
    project = render(tmp_path / "x", answers, template=template, vcs_ref="0.0.1")
    own = {
        "my_ops/csrc/muladd/muladd.h": ("out = a * b + c;", "out = a * b - c;"),
        "my_ops/ops/muladd.py": ("return a * b + c", "return a * b - c"),
        "README.md": ("# my_ops", "# my_ops, mine"),
        "pyproject.toml": (
            'keywords = ["pytorch", "cuda", "custom-operator"]',
            'keywords = ["mine"]',
        ),
        "my_ops/_library.py": ("LINK_ARGS: list[str] = []", 'LINK_ARGS = ["-lcublas"]'),
        "setup.py": ("LINK_ARGS: list[str] = []", 'LINK_ARGS = ["-lcublas"]'),
    }
    del own["setup.py" if build == "jit" else "my_ops/_library.py"]
    for name, edit in own.items():
        replace(project / name, *edit)
    workflow = project / ".github/workflows/mine.yml"
    workflow.write_text("name: mine\n")
    (project / "CHANGELOG.md").write_text("# Mine\n")
    start(project)
    before = files(project)
    update(project)
    assert files(project).keys() == before.keys()
    commit(project, "updated")
    update(project, data={"extent": "full"})
    assert git(project, "ls-files", "-u") == "" and workflow.exists()
    fresh = files(render(tmp_path / "new", answers | {"extent": "full"}, template=template))
    after = files(project)
    assert fresh.keys() == after.keys() - {".github/workflows/mine.yml"}
    own["CHANGELOG.md"] = (fresh["CHANGELOG.md"], "# Mine\n")
    for name, text in fresh.items():
        assert after[name] == text.replace(*own.get(name, ("", ""))) or name[:2] == ".c", name
    commit(project, "full")
    with pytest.raises(ValueError) as error:
        update(project, data={"extent": "core"})
    code, values = read(sentence_of(error.value))
    assert (code, values["answer"]) == ("files.dropped", "extent=core")
    assert values["files"].startswith(".clang-format ")
    assert git(project, "status", "--porcelain") == ""
    obey(project, error.value)
    update(project, data={"extent": "core"})
    assert files(project).keys() == before.keys() - {"CHANGELOG.md"}
    # Files that are created later belong only to the user.
    (project / "examples").mkdir()
    (project / "examples/train.py").write_text("# mine\n")
    commit(project, "mine")
    update(project, data={"autograd": "none"})
    assert (project / "examples/train.py").read_text() == "# mine\n"


def test_a_conflict_is_visible(template, tmp_path):
    project = render(tmp_path / "old", template=template, vcs_ref="0.0.1")
    readme = project / "README.md"
    readme.write_text(readme.read_text().replace("## Measuring", "## My figures"))
    start(project)
    update(project)
    text = readme.read_text()
    assert "<<<<<<<" in text and "## My figures" in text and "## Measure\n" in text
    assert "README.md" in git(project, "ls-files", "-u")


def test_a_further_operator_merges_beside_a_formula_that_was_edited(template, tmp_path):
    project = render(tmp_path / "x", template=template)
    formula = "- `my_ops.muladd(a, b, c)` computes `a * b - c`\n"
    replace(project / "README.md", formula.replace("-", "+").replace("+", "-", 1), formula)
    start(project)
    update(project, data={"more_ops": "+another(Tensor x)"})
    assert git(project, "ls-files", "-u") == ""
    text = (project / "README.md").read_text()
    assert f"{formula}\n- `my_ops.another(x)` computes `x`\n" in text


def update_at_a_terminal(project: Path) -> str:
    command = [sys.executable, "-m", "copier", "update", "--defaults", "--vcs-ref", "HEAD"]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
    return result.stderr


def commands_that_list_conflicts(project: Path) -> str:
    text = (project / "docs/updating.md").read_text()
    block = text.split("that Copier could not merge:")[1].split("```")[1]
    return subprocess.check_output(["bash", "-c", block], cwd=project, text=True)


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("shown", ["normal", "no"])
def test_what_became_of_edits_is_said_whatever_git_shows(shown, edited, template, tmp_path):
    """If git shows no untracked files, Copier 9.19.1 does not merge edits that `git apply` refused."""
    project = render(tmp_path / "old", template=template, vcs_ref="0.0.1")
    if edited:
        replace(project / "README.md", "## Measuring", "## My figures")
    source = project / "my_ops/ops/muladd.py"
    source.write_text(source.read_text() + "# mine\n")
    start(project)
    git(project, "config", "status.showUntrackedFiles", shown)
    message = update_at_a_terminal(project)
    listed = commands_that_list_conflicts(project)
    assert "# mine\n" in source.read_text() and "# older" not in source.read_text()
    if not edited:
        assert "EDITS OF YOURS" not in message and listed == ""
    elif shown == "normal":
        assert "EDITS OF YOURS" not in message and listed == "README.md\n"
    else:
        assert "EDITS OF YOURS ARE MISSING" in message
        assert "README.md.rej\n" in message and listed == "./README.md.rej\n"
        # The way out that the message names.
        git(project, "reset", "-q", "--hard")
        git(project, "clean", "-q", "-d", "--force")
        (project / "README.md.rej").unlink(missing_ok=True)  # which is there where git ignores it
        git(project, "config", "status.showUntrackedFiles", "normal")
        update(project)
        assert "README.md" in git(project, "ls-files", "-u")


@pytest.mark.parametrize("whitespace", ["error", "fix"])
def test_spaces_at_the_end_of_an_edit_lose_nothing(whitespace, template, tmp_path):
    """If git treats them as an error, `git apply` refuses all edits, and Copier does not notice."""
    project = render(tmp_path / "old", template=template, vcs_ref="0.0.1")
    header = project / "my_ops/csrc/muladd/muladd.h"
    replace(header, "a * b + c;", "a * b - c;  ")
    source = project / "my_ops/ops/muladd.py"
    source.write_text(source.read_text() + "# mine\n")
    replace(project / "README.md", "## Measuring", "## My figures")
    start(project)
    git(project, "config", "apply.whitespace", whitespace)
    update(project)
    assert "a * b - c;" in header.read_text()
    assert "# mine\n" in source.read_text() and "# older" not in source.read_text()
    assert "README.md" in git(project, "ls-files", "-u")


@pytest.fixture(params=["setuptools", "cmake"])
def of_one_build(request, template, tmp_path) -> Path:
    """The file that only one build has, edited, in a project of that build."""
    name = {"setuptools": "setup.py", "cmake": "CMakeLists.txt"}[request.param]
    project = render(tmp_path / "x", {"build": request.param}, template=template, vcs_ref="0.0.1")
    with open(project / name, "a") as file:
        file.write("# mine\n")
    start(project)
    return project / name


@pytest.mark.parametrize("build", ["jit", "nvrtc"])
def test_an_edited_file_is_not_lost_with_its_build(of_one_build, build):
    """Copier would delete it."""
    project = of_one_build.parent
    with pytest.raises(ValueError) as error:
        update(project, data={"build": build})
    code, values = read(sentence_of(error.value))
    assert (code, values["answer"]) == ("files.dropped", f"build={build}")
    assert of_one_build.name in values["files"]
    assert git(project, "status", "--porcelain") == ""
    update(project, data={"license": "Apache-2.0"})
    assert "# mine" in of_one_build.read_text()


def test_a_build_that_is_none_is_answered_with_all_that_are(of_one_build):
    with pytest.raises(ValueError) as error:
        update(of_one_build.parent, data={"build": "cmak"})
    assert str(error.value).endswith(f"'cmak' is not in {BUILDS}")


def test_an_edited_file_is_not_lost_by_picking_another_build(of_one_build):
    project = of_one_build.parent
    before = files(project)
    enter, down = "\r", "\x1b[B"
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        # Four questions; the next build of the list; eight questions.
        keys.send_text(enter * 4 + down + enter * 9)
        copier.run_update(str(project), vcs_ref="0.0.1", overwrite=True, quiet=True)
    assert files(project) == before


def test_an_edited_model_is_not_lost_with_the_gradient(template, tmp_path):
    project = render(tmp_path / "x", {"more_ops": "gate(Tensor x)"}, template=template)
    example = project / "examples" / "train.py"
    with open(example, "a") as file:
        file.write("# mine\n")
    start(project)
    for answers in [{"autograd": "none"}, {"signature": "Tensor(a!) x -> ()"}]:
        with pytest.raises(ValueError) as error:
            update(project, data=answers)
        assert code_of(error.value) == "files.model"
        # Copier names a question, which is the one that was answered if it is the gradient's.
        assert ("'autograd'" in str(error.value)) == ("autograd" in answers)
        assert git(project, "status", "--porcelain") == ""
    update(project, data={"license": "Apache-2.0"})
    assert "# mine" in example.read_text()
    commit(project, "license")
    obey(project, error.value)
    update(project, data={"autograd": "none"})
    # Files that are created later belong only to the user.
    example.write_text("# another\n")
    commit(project, "another")
    update(project, data={"license": "MIT"})
    assert example.read_text() == "# another\n"


def test_answers_without_a_build(template, tmp_path):
    """Someone deleted the line: the default is what Copier takes it for."""
    project = render(tmp_path / "x", template=template, vcs_ref="0.0.1")
    replace(project / ".copier-answers.yml", "build: setuptools\n", "")
    start(project)
    update(project)
    assert "build: setuptools\n" in (project / ".copier-answers.yml").read_text()
    assert (project / "setup.py").exists()


def do_as_the_page_says(project: Path, after: str) -> None:
    """Run the first block of commands that follows these words of the page on updates."""
    block = (project / "docs/updating.md").read_text().split(after)[1].split("```")[1]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    git(project, "config", "user.name", "Test")
    git(project, "config", "user.email", "test@example.com")
    subprocess.run(["bash", "-ec", block], cwd=project, env=os.environ | {"PATH": path}, check=True)


@pytest.mark.parametrize("build", BUILDS)
def test_the_page_on_updates_says_how_to_rename_the_package(template, build, tmp_path):
    project = render(tmp_path / "x", {"build": build}, template=template, vcs_ref="0.0.1")
    edits = {
        "my_ops/csrc/muladd/muladd.h": ("out = a * b + c;", "out = a * b - c;"),
        "my_ops/ops/muladd.py": ("return a * b + c", "return a * b - c"),
        "tests/my_ops_suite/common.py": ("import torch\n", "import torch  # of my_ops, mine\n"),
        "README.md": ("# my_ops", "# my_ops, mine"),
    }
    for name, edit in edits.items():
        replace(project / name, *edit)
    (project / "mine.py").write_text("from my_ops import muladd\n")
    start(project)
    do_as_the_page_says(project, "## Another name")
    assert git(project, "ls-files", "-u") == git(project, "status", "--porcelain") == ""
    for name, (_, new) in edits.items():
        moved, edit = name.replace("my_ops", "new_name"), new.replace("my_ops", "new_name")
        assert edit in (project / moved).read_text()
    assert (project / "mine.py").read_text() == "from new_name import muladd\n"
    assert not [name for name, text in files(project).items() if "my_ops" in (name + text).lower()]
    # From here on updates follow the new name: all that differs from a fresh project is where lines break, and the edits.
    update(project)
    assert git(project, "ls-files", "-u") == ""
    fresh = files(
        render(tmp_path / "new", {"build": build, "project": "new_name"}, template=template)
    )
    assert fresh.keys() == files(project).keys() - {"mine.py"}
    edited = {name.replace("my_ops", "new_name") for name in edits}
    for name in fresh.keys() - edited - {".copier-answers.yml"}:
        assert files(project)[name].split() == fresh[name].split(), name


def test_the_page_on_updates_says_how_to_leave_a_build(of_one_build):
    project = of_one_build.parent
    do_as_the_page_says(project, "## Another build")
    assert not of_one_build.exists()
    assert len({"setup.py", "CMakeLists.txt"} & files(project).keys()) == 1
    assert git(project, "ls-files", "-u") == ""


CPP = ["bindings.cpp", "muladd/muladd.cpp", "muladd/muladd_cpu.cpp"]


def test_cpp_comes_with_a_build_that_compiles_it_and_stays(template, tmp_path):
    project = render(tmp_path / "x", {"build": "nvrtc"}, template=template)
    cpp = [project / "my_ops/csrc" / name for name in CPP]
    assert not any(path.exists() for path in cpp)
    start(project)
    update(project, data={"build": "setuptools"})
    same(project, render(tmp_path / "fresh", template=template))
    commit(project, "setuptools")
    loop = project / "my_ops/csrc/muladd/muladd_cpu.cpp"
    loop.write_text(loop.read_text() + "// mine\n")
    git(project, "rm", "-q", "setup.py")
    commit(project, "compiled")
    update(project, data={"build": "nvrtc"})
    assert all(path.exists() for path in cpp) and "// mine" in loop.read_text()
    commit(project, "nvrtc again")
    update(project, data={"license": "Apache-2.0"})
    assert all(path.exists() for path in cpp) and "// mine" in loop.read_text()
    commit(project, "license")
    with pytest.raises(ValueError) as error:
        update(project, data={"cpp": "false"})
    assert code_of(error.value) == "files.cpp"
    obey(project, error.value)
    update(project)
    assert not any(path.exists() for path in cpp)
    assert "cpp:" not in (project / ".copier-answers.yml").read_text()


def test_cpp_of_a_project_of_0_6_0_stays_and_is_updated(released, tmp_path):
    project = render(
        tmp_path / "x", {"build": "nvrtc"}, extent=None, template=released, vcs_ref=RELEASE_0_6_0
    )
    source = project / "my_ops/csrc/muladd/muladd.cpp"
    source.write_text(source.read_text() + "// mine\n")
    start(project)
    update(project)
    fresh = render(tmp_path / "fresh", {"build": "nvrtc", "cpp": True}, template=released)
    assert "// mine" in source.read_text()
    assert all((project / "my_ops/csrc" / name).exists() for name in CPP)
    name = "my_ops/csrc/bindings.cpp"
    assert (project / name).read_text() == (fresh / name).read_text()
    assert not (project / "my_ops/csrc/tensors.h").exists()  # kit/ has it


@pytest.mark.parametrize(
    "before",
    ["", "gate(Tensor x, Tensor y)", "gate(Tensor x, Tensor y)\nrowwise: norm(Tensor x)\n"],
    ids=["none", "one", "lines"],
)
def test_an_operator_is_added_to_those_that_are_there(template, before, tmp_path):
    project = render(tmp_path / "x", {"more_ops": before}, template=template)
    header = project / "my_ops/csrc/muladd/muladd.h"
    header.write_text(header.read_text() + "// mine\n")
    start(project)
    update(
        project, data={"more_ops": "+gelu(Tensor x); +custom: pick(Tensor x: [N]) -> Tensor: [N]"}
    )
    assert git(project, "ls-files", "-u") == "" and "// mine" in header.read_text()
    commit(project, "added")
    answers = yaml.safe_load((project / ".copier-answers.yml").read_text())
    assert "further_ops" not in answers and "+" not in answers["more_ops"]
    named = [name for name in ["gate", "norm"] if name in before] + ["gelu", "pick"]
    assert [re.search(rf"\b{name}\(", answers["more_ops"]) is None for name in named] == [
        False
    ] * len(named)
    assert {path.stem for path in project.glob("my_ops/ops/[a-z]*.py")} == {"muladd", *named}
    fresh = render(tmp_path / "fresh", {"more_ops": answers["more_ops"]}, template=template)
    left, right = files(project), files(fresh)
    changed = {name for name in right if left[name] != right[name]}
    assert changed - {".copier-answers.yml"} == {"my_ops/csrc/muladd/muladd.h"}
    update(project)
    assert git(project, "status", "--porcelain") == ""
    with pytest.raises(ValueError) as error:
        update(project, data={"more_ops": "+gelu(Tensor y); +gelu(Tensor z)"})
    assert reason(sentence_of(error.value)).endswith("further.twice: gelu")


def operators_of(project: Path) -> str:
    return yaml.safe_load((project / ".copier-answers.yml").read_text())["more_ops"]


def test_an_operator_is_removed_by_its_name_in_one_update(template, tmp_path):
    answers = {"more_ops": "gate(Tensor x, Tensor y); rowwise: norm(Tensor x); scale(Tensor x)"}
    project = render(tmp_path / "x", answers, template=template)
    others = [
        path
        for name in ["muladd", "gate", "scale"]
        for path in project.glob(f"my_ops/csrc/{name}/*")
    ]
    for path in [*others, *project.glob("my_ops/csrc/norm/*"), project / "tests/test_norm.py"]:
        path.write_text(path.read_text() + "// mine\n")
    start(project)
    update(project, data={"more_ops": "-norm"})
    assert git(project, "ls-files", "-u") == ""
    assert operators_of(project) == "gate(Tensor x, Tensor y); scale(Tensor x)"
    assert not [*project.rglob("*norm*")]
    assert len(others) >= 12 and all(path.read_text().endswith("// mine\n") for path in others)
    commit(project, "removed")
    update(project)
    assert git(project, "status", "--porcelain") == ""
    update(project, data={"more_ops": "-gate; +one(Tensor x)\n-scale"})
    assert operators_of(project) == "one(Tensor x)"
    commit(project, "changed")
    update(project, data={"more_ops": "-one"})
    assert operators_of(project) == "" and not [*project.rglob("*one.py")]


@pytest.mark.parametrize(
    "more_ops, why",
    {
        "-muladd": "further.remove_first: muladd",
        "-nrom": "further.removed: nrom, gate, norm",
        "+muladd(Tensor x)": "further.first: muladd",
        "gate(Tensor x)": "files.operator: norm, ",
    }.items(),
)
def test_changes_of_operators_are_refused_with_a_way_out(more_ops, why, template, tmp_path):
    answers = {"more_ops": "gate(Tensor x); rowwise: norm(Tensor x)"}
    project = render(tmp_path / "x", answers, template=template)
    start(project)
    with pytest.raises(ValueError) as error:
        update(project, data={"more_ops": more_ops})
    assert reason(sentence_of(error.value)).startswith(why)
    assert git(project, "status", "--porcelain") == ""


def test_arguments_of_a_further_operator_change_without_naming_the_others(template, tmp_path):
    answers = {"more_ops": "gate(Tensor x)\nrowwise: norm(Tensor x)\nscale(Tensor x)"}
    project = render(tmp_path / "x", answers, template=template)
    source = project / "my_ops/csrc/norm/norm_cpu.cpp"
    source.write_text(source.read_text() + "// mine\n")
    start(project)
    update(project, data={"more_ops": "+norm(Tensor x, Tensor weight)"})
    assert git(project, "ls-files", "-u") == "" and source.read_text().endswith("// mine\n")
    lines = ["gate(Tensor x)", "rowwise: norm(Tensor x, Tensor weight)", "scale(Tensor x)"]
    assert operators_of(project).splitlines() == lines
    assert "weight: Tensor" in (project / "my_ops/ops/norm.py").read_text()


def test_an_operator_is_added_at_a_prompt(template, tmp_path):
    """After which a question shows all of them."""
    project = render(tmp_path / "x", {"more_ops": "gate(Tensor x)"}, template=template)
    start(project)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        # Seven questions; in the last one, the new answer replaces the default. Then the others.
        keys.send_text("\r" * 7 + "\x15+gelu(Tensor x)\r" + "\r" * 6)
        copier.run_update(str(project), vcs_ref="HEAD", overwrite=True, quiet=True)
    text = (project / ".copier-answers.yml").read_text()
    assert "more_ops: gate(Tensor x); gelu(Tensor x)\n" in text


def test_the_words_after_an_update_begin_with_what_lists_conflicts(template, tmp_path, capfd):
    """A template cannot see conflicts. The command lists them, and prints nothing without conflicts."""
    project = render(tmp_path / "x", template=template, vcs_ref="0.0.1")
    start(project)
    for edit, listed in [("", ""), ("## Measuring", "README.md\n")]:
        if edit:
            git(project, "reset", "--hard", "-q", "HEAD~1")
            replace(project / "README.md", edit, "## How fast it is")
            commit(project, "mine")
        capfd.readouterr()
        copier.run_update(str(project), defaults=True, overwrite=True, vcs_ref="HEAD")
        words = capfd.readouterr().err.partition("First list conflicts")[2]
        command = re.search(r"^ {4,}git (.*)$", words, re.MULTILINE)[1]
        assert git(project, *command.split()) == listed
        commit(project, "updated")


@pytest.mark.parametrize("question", ["signature", "more_ops"])
def test_an_answer_that_is_refused_by_now_stops_an_update(question, tmp_path):
    """Otherwise Copier would replace it by the default, which is another operator."""
    template = copy_template(tmp_path / "template")
    refusal = "argument.type.rstrip('?') == 'ScalarType'"
    replace(template / "questions/signature.jinja", refusal, "false")
    start(template)
    git(template, "tag", "0.0.1")
    signature = "(Tensor x: [N], int k, ScalarType? dtype=None) -> Tensor: [N * k]"
    answers = {"kernel": "custom", "op": "scaled", "signature": signature}
    if question == "more_ops":
        answers = {"more_ops": f"custom: scaled{signature}"}
    project = render(tmp_path / "old", answers, template=template, vcs_ref="0.0.1")
    start(project)
    replace(
        template / "questions/signature.jinja",
        "== 'custom' and false",
        f"== 'custom' and {refusal}",
    )
    commit(template, "newer")
    with pytest.raises(ValueError) as error:
        update(project)
    code, values = read(sentence_of(error.value))
    assert (code, values["name"]) == ("project.stored", question)
    assert git(project, "status", "--short") == ""
    fewer = {question: answers[question].replace(", ScalarType? dtype=None", "")}
    update(project, data=fewer)
    assert git(project, "ls-files", "-u") == ""
    assert "dtype: torch.dtype" not in (project / "my_ops/ops/scaled.py").read_text()
