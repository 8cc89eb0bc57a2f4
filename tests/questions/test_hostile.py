"""Input that a person or a program may give and that must do no harm.

Each case ends in a correct project, or in one sentence and nothing written. The table of the cases
closes the run.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import copier
import pytest
import yaml
from refusals import unframed
from render import files, render
from updating import commit, copy_template, git, start, update

TEXTS = {
    "quotes": """it's "quoted" 'twice'""",
    "three double quotes": '"""; import os; """',
    "backslashes": "C:\\new\\u0041\\",
    "end of a comment": "*/ } // /*",
    "Jinja variable": "{{ project }} {{",
    "Jinja statement": "{% raw %} {%",
    "Jinja comment": "{# hidden #} {#",
    "workflow expression": "${{ secrets.TOKEN }}",
    "backticks": "`touch x` ```",
    "shell substitution": "$(touch x) $HOME ; rm -rf . && x | y > z",
    "YAML": "- a: b # c & *d !e %f @g",
    "YAML true": "yes",
    "a number": "007",
    "null": "null",
    "TOML": '"] [project] x = "',
    "HTML": "<script>alert(1)</script> <!-- -->",
    "emoji": "fast 🚀 kernels 🧮",
    "right to left": "מפעילים עם CUDA",
    "accents": "Søren Ångström & Ñandú",
    "200 characters": "x" * 199 + ".",
    "newline": "one\ntwo",
    "carriage return": "one\rtwo",
    "null byte": "one\0two",
    "escape sequence": "\x1b[31mred",
    "direction override": "abc \u202e cba",
    "letter of no width": "fast\u3164kernels",
    "choice of a glyph": "fast \u2764\ufe0f",
    "tag": "fast\U000e0041",
    "joined emoji": "👩\u200d💻",
    "line separator": "one\u2028two",
    "lone surrogate": "one \ud800 two",
    "empty": "",
    "blanks": "   ",
    "very long": "x" * 100_000,
}

# Invisible characters. Python treats the second line as printable, and its first four as letters.
INVISIBLE = [
    *"\xad\u061c\u180e\u200b\u200d\u2060\u202e\u2066\ufeff\U000e0041\u2028\x7f\0",
    *"\u115f\u1160\u3164\uffa0\u034f\u17b4\u180b\u2800\ufe0f\U000e0100",
]
# Where free text is: the question, and the answer with the text in it.
FREE = {
    "description": lambda text: {"description": f"fast {text} kernels"},
    "author": lambda text: {"author": f"Ada{text}"},
    "repository": lambda text: {"repository": f"https://github.com/ada/ops{text}"},
    "default of a str": lambda text: {"signature": f'Tensor x, str mode="a{text}"'},
    "another operator": lambda text: {"more_ops": f'gate(Tensor x, str mode="a{text}")'},
}

# What a name is: the question, and the answer with the name in it.
NAMES = {
    "project": lambda name: {"project": name},
    "op": lambda name: {"op": name},
    "argument": lambda name: {"signature": f"Tensor {name}, float c"},
    "another operator": lambda name: {"more_ops": f"{name}(Tensor x)"},
}
WORDS = """
    class lambda None import async match self template namespace operator int float co_await
    __global__ __device__ threadIdx blockDim std torch at c10 main NULL assert errno linux unix INFINITY
    M_PI HOST_DEVICE TORCH_LIBRARY .. ../x a/b a\\b -rf $(touch;x) `x` {{x}} {%x%} a;b a"b é 变量 🚀 %s
""".split()
# Python and C++ read these by their place, so an argument may be called so; tests/build_cpu/test_build_names.py compiles it.
FREE_FOR_ARGUMENTS = {"match", "main", "std", "at", "c10"}


@pytest.fixture(scope="module")
def untracked(tmp_path_factory) -> Path:
    """The template in a folder without git, which renders fastest."""
    return copy_template(tmp_path_factory.mktemp("untracked") / "template")


@pytest.fixture(scope="module")
def plain(untracked, tmp_path_factory) -> dict[str, str]:
    """The files of the default project."""
    return files(render(tmp_path_factory.mktemp("plain") / "x", template=untracked, vcs_ref=None))


@pytest.fixture
def record_hostile(summary):
    """Add a case and the sentence that refused it, or None, to the table that closes the run."""
    add = summary("hostile inputs")
    return lambda case, sentence: add(f"{case!a:60} {sentence or 'rendered'}")


def refusal(destination: Path, answers: dict, template: Path) -> str | None:
    """Render; return the sentence of a refusal, which writes nothing."""
    try:
        render(destination, answers, template=template, vcs_ref=None)
    except (ValueError, copier.errors.UserMessageError) as error:
        text = unframed(error)
        sentence = text.partition(": ")[2] or text
        assert not destination.exists(), f"half written: {sorted(destination.rglob('*'))}"
        assert sentence.strip().endswith("."), sentence
        assert "\n" not in sentence.strip() and len(sentence) < 500, sentence
        assert sentence.isprintable(), sentence
        return sentence
    return None


def check_inert(project: Path, question: str, text: str, plain: dict[str, str]) -> None:
    """The text is only in the files that should contain it, as data."""
    read = files(project)
    metadata = tomllib.loads(read["pyproject.toml"])["project"]
    given = metadata["description"] if question == "description" else metadata["authors"][0]["name"]
    assert given == text
    assert yaml.safe_load(read[".copier-answers.yml"])[question] == text
    assert read.keys() == plain.keys()
    home = {"description": "README.md", "author": "LICENSE"}[question]
    assert text in read[home]
    for name in read.keys() - {home, "pyproject.toml", ".copier-answers.yml"}:
        assert read[name] == plain[name], name


@pytest.mark.parametrize("question", ["description", "author"])
@pytest.mark.parametrize("case", TEXTS)
def test_free_text(case, question, tmp_path, untracked, plain, record_hostile):
    text = TEXTS[case]
    sentence = refusal(tmp_path / "x", {question: text}, untracked)
    record_hostile(f"{question}: {case}", sentence)
    if sentence:
        return
    check_inert(tmp_path / "x", question, text, plain)


@pytest.mark.parametrize("what", FREE)
def test_invisible_characters(what, tmp_path, untracked, record_hostile):
    """A reader of a pull request does not see them, and a compiler does."""
    for character in INVISIBLE:
        code = f"U+{ord(character):04X}"
        sentence = refusal(tmp_path / "x", FREE[what](character), untracked)
        assert sentence and (code in sentence or character.splitlines() == [""]), (code, sentence)
        record_hostile(f"{what}: {code}", sentence)


def test_free_text_survives_updates(template, tmp_path):
    """The two texts with most that means something to a program."""
    text = "".join(character for character in map(chr, range(33, 127))) + " {{ {% {# ${{ é 🚀"
    answers = {"description": text, "author": text[::-1]}
    project = render(tmp_path / "x", answers, template=template, vcs_ref="0.0.1")
    start(project)
    update(project)
    assert git(project, "ls-files", "-u") == ""
    commit(project, "updated")
    update(project)
    assert git(project, "status", "--porcelain") == ""
    stored = yaml.safe_load((project / ".copier-answers.yml").read_text())
    assert {name: stored[name] for name in answers} == answers


@pytest.mark.parametrize("what", NAMES)
def test_names(what, tmp_path, untracked, record_hostile):
    for word in [x for x in WORDS if what != "argument" or x not in FREE_FOR_ARGUMENTS]:
        sentence = refusal(tmp_path / "x", NAMES[what](word), untracked)
        assert sentence, f"{word} is accepted as {what}"
        record_hostile(f"{what}: {word}", sentence)


@pytest.mark.parametrize(
    "name", ["with space", "naïve-变量-🚀", "it's", 'a"b', "$(touch x)", "[a]*"]
)
def test_destinations(name, tmp_path, template, record_hostile):
    project = render(tmp_path / name, template=template)
    start(project)
    update(project, data={"more_ops": "gate(Tensor x)"})
    assert "gate" in (project / "my_ops/__init__.py").read_text()
    record_hostile(f"destination: {name}", None)


def copier_command(*arguments: str | Path, cwd: Path) -> str:
    """Run Copier as a person does, and return its output, which has no traceback."""
    command = [sys.executable, "-m", "copier", *arguments]
    result = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert result.returncode != 0
    return result.stdout.strip()


def test_a_destination_that_cannot_be_written(tmp_path, untracked, record_hostile):
    """Root may write anywhere but under a file."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OSError) as error:
        render(tmp_path / "file" / "x", template=untracked, vcs_ref=None)
    assert (tmp_path / "file").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    record_hostile("destination: under a file", str(error.value))


def test_an_update_with_uncommitted_changes(tmp_path, template, record_hostile):
    project = render(tmp_path / "x", template=template)
    start(project)
    (project / "README.md").write_text("mine")
    before = files(project)
    text = copier_command("update", "--defaults", cwd=project)
    assert "dirty" in text.splitlines()[-1] and "Traceback" not in text
    assert files(project) == before
    record_hostile("update: uncommitted changes", text.splitlines()[-1])


def test_an_update_without_git(tmp_path, template, record_hostile, monkeypatch):
    # The temporary folder may lie in a repository.
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    project = render(tmp_path / "x", template=template)
    before = files(project)
    text = copier_command("update", "--defaults", cwd=project)
    assert "git" in text.splitlines()[-1] and "Traceback" not in text
    assert files(project) == before
    record_hostile("update: no git in the project", text.splitlines()[-1])


def test_a_template_without_tags(tmp_path, record_hostile):
    template = copy_template(tmp_path / "template")
    start(template)
    project = render(tmp_path / "x", template=template, vcs_ref=None)
    start(project)
    (template / "template/.gitignore").write_text("*.new\n")
    commit(template, "newer")
    update(project, vcs_ref=None)
    assert (project / ".gitignore").read_text() == "*.new\n"
    record_hostile("template: no tags", None)


def test_free_text_is_no_template(tmp_path, untracked, plain):
    """It can't read what a template can."""
    text = "{{ _copier_conf.src_path }} {% include 'copier.yml' %}"
    for question in ["description", "author"]:
        project = tmp_path / question
        assert refusal(project, {question: text}, untracked) is None
        check_inert(project, question, text, plain)
