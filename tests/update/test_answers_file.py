"""A person or git may change a project's answers and files between two updates."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from refusals import code_of, read, sentence_of
from render import TEMPLATE, files, render
from updating import commit, git, replace, start, update


@pytest.fixture
def project(template, tmp_path) -> Path:
    folder = render(tmp_path / "my_ops", template=template)
    start(folder)
    return folder


def refusal(project: Path, **options) -> str:
    """Return the sentence that refuses an update, which changes nothing."""
    before = files(project)
    with pytest.raises(ValueError) as error:
        update(project, **options)
    assert files(project) == before and git(project, "status", "--porcelain") == ""
    return str(error.value)


@pytest.mark.parametrize(
    "old, new",
    [
        ("build: setuptools", "build: cmake"),
        ("op: muladd", "op: fused"),
        ("binding: torch_library", "binding: pybind11"),
        ("more_ops: ''", "more_ops: gate(Tensor x)"),
    ],
)
def test_an_edited_answer_is_refused(project, old, new):
    replace(project / ".copier-answers.yml", old, new)
    commit(project, "edited")
    name, _, value = new.partition(": ")
    code, values = read(sentence_of(refusal(project)))
    assert code == "project.edited_answers"
    assert (values["name"], values["answer"]) == (name, f'"{value}"')
    # Nor does another answer to the same question make up for it.
    again = refusal(project, data={name: old.partition(": ")[2].strip("'")})
    assert read(sentence_of(again))[0] == "project.edited_answers"
    replace(project / ".copier-answers.yml", new, old)
    commit(project, "put back")
    update(project)


def test_an_answer_that_is_gone_is_the_default(project):
    """Copier asks the question again, and its files stay."""
    before = files(project)
    answers = project / ".copier-answers.yml"
    replace(answers, "op: muladd\n", "")
    commit(project, "gone")
    update(project)
    assert files(project) == before


def test_a_template_that_was_named_from_elsewhere_is_found(template, tmp_path, monkeypatch):
    monkeypatch.chdir(template.parent)
    folder = render(tmp_path / "my_ops", template=template.name)
    start(folder)
    monkeypatch.chdir(folder)
    update(folder, data={"license": "Apache-2.0"})
    assert f"_src_path: {template}\n" in (folder / ".copier-answers.yml").read_text()


QUESTIONS = yaml.safe_load((TEMPLATE / "copier.yml").read_text())
COMPUTED = [
    name for name, question in QUESTIONS.items() if name[0] != "_" and question.get("when") is False
]
VALUES = {"str": "../../x", "bool": "true", "yaml": "[]", "json": "[]"}


@pytest.mark.parametrize("name", COMPUTED)
def test_computed_answers_are_no_questions(name, tmp_path):
    value = VALUES[QUESTIONS[name]["type"]]
    with pytest.raises(ValueError) as error:
        render(tmp_path / "other", {name: value})
    assert code_of(error.value) == "answer.computed"
    assert not (tmp_path / "other").exists()


def test_computed_answers_are_none_in_an_update(project):
    for name, value in {"registration": "../../x", "inline": True, "ops": []}.items():
        sentence = refusal(project, data={name: value})
        assert read(sentence_of(sentence))[0] == "answer.computed"


@pytest.mark.parametrize("break_", ["\x85", "\u2028", "\x0b", "\x1f"], ids=ascii)
@pytest.mark.parametrize("answer", ["signature", "more_ops"])
def test_other_line_breaks(answer, break_, tmp_path):
    text = f"Tensor x,{break_}Tensor y"
    with pytest.raises(ValueError) as error:
        render(tmp_path / "x", {answer: text if answer == "signature" else f"gate({text})"})
    assert code_of(error.value) == "text.invisible_in"


@pytest.mark.parametrize("autocrlf", ["true", "false"])
def test_a_project_with_crlf(autocrlf, template, tmp_path):
    """Every file is saved by an editor with the line ends of Windows, and the line ends of git stay the same."""
    project = render(tmp_path / "my_ops", template=template, vcs_ref="0.0.1")
    start(project)
    for name in files(project):
        path = project / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    replace(project / "README.md", "# my_ops", "# my_ops, mine")
    git(project, "config", "core.autocrlf", autocrlf)
    commit(project, "saved on Windows")
    update(project)
    assert git(project, "ls-files", "-u") == ""
    left = [name for name in files(project) if b"\r" in (project / name).read_bytes()]
    assert sorted(left) == ["CHANGELOG.md", "CLAUDE.md"]  # which no update touches
    fresh = render(tmp_path / "fresh", template=template)
    found = files(project)
    assert [name for name, text in files(fresh).items() if found[name] != text] == ["README.md"]


def test_a_copy_over_a_project_by_a_detour_is_refused_without_asking_for_trust(tmp_path):
    """Copier would call the answers file forbidden, and propose --trust."""
    project = render(tmp_path / "x" / "my_ops")
    (tmp_path / "link").symlink_to(project)
    for detour in [tmp_path / "x" / ".." / "x" / "my_ops", tmp_path / "link"]:
        with pytest.raises(ValueError) as error:
            render(detour)
        assert code_of(error.value) == "project.detour"
        assert str(project) in str(error.value) and "trust" not in str(error.value)
    render(project)  # again, by its own path
