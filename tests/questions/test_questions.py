"""The questions refuse wrong answers and name the reason."""

from __future__ import annotations

import keyword
import subprocess
import sys

import copier
import pytest
from macros import module
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from refusals import FRAME, QUESTIONS, REFUSE, SIGNATURE, choices, refusal
from render import TEMPLATE, render
from updating import start, update


@pytest.mark.parametrize(
    "project, words",
    {
        "": "Use a-z, 0-9",
        "3d": "Use a-z, 0-9",
        "my-ops": "Use a-z, 0-9",
        "MyOps": "Use a-z, 0-9",
        "my ops": "Use a-z, 0-9",
        "my__ops": "Use a-z, 0-9",
        "ops\n": "Use a-z, 0-9",
        "opé": "Use a-z, 0-9",
        "x" * 65: "at most 64",
        "class": "reserved word of Python",
        "namespace": "keyword of C++",
        "linux": "macro or a built-in name",
        "torch": "library that the rendered code uses",
        "std": "library that the rendered code uses",
        "random": "standard library",
        "packaging": "module that PyTorch, pytest or a build imports",
        "sympy": "module that PyTorch, pytest or a build imports",
        "tests": "folder or a tool",
        "exp": "function of <math.h>",
        "quantized": "namespace of PyTorch's own operators",
        "true": "keyword of C++",
        "nul": "name that Windows reserves",
        "filelock": "folder or a tool",
    }.items(),
)
def test_project_names_refused(tmp_path, project, words):
    assert words in refusal(tmp_path, project=project)


@pytest.mark.parametrize(
    "op, words",
    {
        "1up": "Use a-z, 0-9",
        "lambda": "reserved word of Python",
        "template": "keyword of C++",
        "main": "macro or a built-in name",
        "my_ops": "already the name of the package",
        "ops": "rendered code uses itself",
        "sys": "rendered code uses itself",
        "pytestmark": "rendered code uses itself",
        "compute_t": "rendered code uses itself",
    }.items(),
)
def test_op_names_refused(tmp_path, op, words):
    assert words in refusal(tmp_path, op=op)


REFUSED_SIGNATURES = {
    "": "no required Tensor",
    "Tensor": "is not an argument",
    "Tensor a,": "is not an argument",
    "Tensor a b": "is not an argument",
    "Tensor a = 3": 'write "Tensor? a=None"',
    "Tensor a; float c": "is not an argument",
    "tensor a": '"Tensor a" in a PyTorch schema',
    "at::Tensor a": '"Tensor a" in a PyTorch schema',
    "const torch::Tensor& a": '"Tensor a" in a PyTorch schema',
    "a: torch.Tensor": '"Tensor a" in a PyTorch schema',
    "Tensor& out, Tensor a": '"Tensor(a!) out" in a PyTorch schema',
    "Optional[Tensor] w, Tensor a": '"Tensor? w" in a PyTorch schema',
    "Tensor a, std::optional<at::Tensor> w": '"Tensor? w" in a PyTorch schema',
    "a: Tensor | None": '"Tensor? a" in a PyTorch schema',
    "Tensor a, double c": '"float c" in a PyTorch schema',
    "Tensor a, int64_t n": '"int n" in a PyTorch schema',
    "Tensor a, std::vector<int64_t> n": '"int[] n" in a PyTorch schema',
    "Tensor a, List[Tensor] b": '"Tensor[] b" in a PyTorch schema',
    "Tensor a, const char* mode": '"str mode" in a PyTorch schema',
    "Tensor a, dtype d": '"ScalarType d" in a PyTorch schema',
    "Tensor a, Generator? g": '"Generator?" is not a type',
    "Tensor a, Tensor?[] b": "is not a type",
    "Tensor? a": "no required Tensor",
    "Tensor a, float b=fast": "looks like b=1e-5",
    "Tensor a, bool b=true": "looks like b=False",
    "Tensor a, str b=mean": 'looks like b="mean"',
    "Tensor a, int[2] b=[1, 2": "looks like b=[1, 1]",
    "Tensor a, int[2] b=[1, 2, 3]": 'has a default of 3 numbers, and "int[2]" has 2; write "b=[1, 1]".',
    "Tensor a, float[3]? b=[0.5]": 'write "float[3] b=[0.5]" or "float[3]? b=None".',
    "Tensor a, ScalarType d=float": 'write "ScalarType? d=None"',
    "Tensor a, float b=1.0, int c": "has no default, but",
    "Tensor a, *": "may occur once",
    "Tensor a, *, float b, *, int c": "may occur once",
    "Tensor(a!) a": "state what it returns",
    "Tensor a, int(a!) b -> ()": "only a tensor can",
    "Tensor a -> ()": "returns nothing and writes to nothing",
    "Tensor a -> int": "not a result of an operator",
    "Tensor a -> Tensor?": "is optional, which only the kernel custom accepts",
    "Tensor a -> Tensor(a!)": "is not a written argument",
    "Tensor(a) a -> Tensor(a)": "would be a view",
    "Tensor a -> (Tensor b, Tensor b)": "Two results",
    "Tensor a -> Tensor lambda": "reserved word of Python",
    "scale(Tensor a) -> Tensor": "is the name of an operator",
    "Tensor! a, Device d -> ()": 'write "Device? d=None"',
    "Tensor! a, str mode -> ()": "torch.compile passes the arguments",
    "Tensor a, Tensor a_": "names two arguments",
    "Tensor a, Tensor a": "names two arguments",
    "float c": "no required Tensor",
    "Tensor 1a": "can't name an argument",
    "Tensor a-b": "is not an argument",
    "Tensor lambda": "reserved word of Python",
    "Tensor float": "keyword of C++",
    "Tensor NULL": "macro or a built-in name",
    "Tensor torch": "rendered code uses itself",
    "Tensor grad_a, Tensor a": 'derives from "a"',
    "Tensor a, bool needs_a": 'derives from "a"',
    "Tensor a, Tensor needs_a_": 'derives from "a"',
    "Tensor muladd": "names the operator",
    "Tensor " + "a" * 41: "at most 40",
    ", ".join(f"Tensor a{i}" for i in range(65)): "at most 64",
}


@pytest.mark.parametrize("signature, words", REFUSED_SIGNATURES.items())
def test_signatures_refused(tmp_path, signature, words):
    assert words in refusal(tmp_path, signature=signature)


@pytest.mark.parametrize("question", ["description", "author"])
@pytest.mark.parametrize("text, words", {" ": "is empty", "a\nb": "line", "x" * 201: "200"}.items())
def test_texts_refused(tmp_path, question, text, words):
    assert words in refusal(tmp_path, **{question: text})


@pytest.mark.parametrize(
    "repository",
    [
        "a@b.c:you/my_ops.git",
        "https://b.c/my_ops.git",
        "https://b.c/my_ops/",
        'https://b.c/"',
        "//b",
    ],
)
def test_repositories_refused(tmp_path, repository):
    assert "is not the address of a repository" in refusal(tmp_path, repository=repository)


@pytest.mark.parametrize(
    "answers, words",
    [
        ({"build": "nvrtc"}, "nvrtc, which compiles no C++"),
        ({"binding": "torch_stable"}, "has no C++ autograd"),
    ],
    ids=str,
)
def test_autograd_in_cpp_refused(tmp_path, answers, words):
    assert words in refusal(tmp_path, autograd="cpp", **answers)


@pytest.mark.parametrize("answer", ["op=a-b", "autograd=cpp", "author="])
def test_a_refusal_in_a_command_is_found_below_its_traceback(answer, tmp_path):
    command = [sys.executable, "-m", "copier", "copy", "--defaults", "--data", answer]
    command += ["--data", "binding=torch_stable", "--vcs-ref", "HEAD", TEMPLATE, tmp_path / "x"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    begin, sentence, end = result.stderr.splitlines()[-3:]
    assert begin.endswith(f" {FRAME[0].strip()}") and len(begin) < 80
    assert sentence.endswith(".") and end == FRAME[1].strip()


def test_a_refusal_in_a_prompt_is_one_line():
    """A terminal shows the first words of this line."""
    names = module("questions/names.jinja")
    typed, given = ({"defaults": False, "data": data} for data in [{}, {"op": "x"}])
    assert names.shown("op", typed, "Another one.") == "Another one."
    assert names.shown("op", given, " Another one.\n") == "Another one.".join(FRAME)
    assert names.shown("op", typed | {"defaults": True}, "Another one.") != "Another one."
    assert names.shown("op", given, "\n").strip() == ""


@pytest.mark.parametrize(
    "question, answer, begin",
    [
        ("project", "torch", 'Try another name: "torch" is the '),
        ("project", "random", 'Try "random_ops": "random" is'),
        ("op", "double", 'Try "double_op": "double" is a k'),
        ("op", "a-b", "Use a-z, 0-9 and single _"),
        ("signature", "Tensor a, Tensro c", "Use Tensor, float, int, bool"),
        ("signature", "Tensor a, c", 'As in "Tensor x, float c": "c"'),
        ("signature", "tensor a", 'Write "Tensor a": "tensor a" is'),
        ("signature", "Tensor a=3", 'Write "Tensor? a=None": "Tensor a'),
        ("signature", "Tensor a, Tensor a", '"a" names two arguments'),
    ],
)
def test_what_a_terminal_shows_of_a_refusal_says_what_to_do(question, answer, begin):
    """Copier cuts its line at the edge, here at column 80."""
    refuse = REFUSE | {"signature": lambda x: SIGNATURE.refuse_signature(x, "f", "elementwise")}
    room = 80 - len(f"Validation error for question '{question}': ")
    typed = {"defaults": False, "data": {}}
    sentence = module("questions/names.jinja").shown(question, typed, refuse[question](answer))
    assert len(begin) <= room and sentence.strip().startswith(begin)


def test_every_python_keyword_and_standard_module_is_refused():
    text = (TEMPLATE / "questions" / "names.jinja").read_text()
    words = set(text.replace("'", " ").split())
    assert set(keyword.kwlist) <= words
    assert {name for name in sys.stdlib_module_names if not name.startswith("_")} <= words


def test_names_of_no_question_are_refused(template, tmp_path):
    """Copier ignores them silently: --data autogard=none would render the default."""
    sentence = refusal(tmp_path, autogard="none")
    assert '"autogard" is not a question' in sentence
    asked = [name for name, q in QUESTIONS.items() if isinstance(q, dict) and "help" in q]
    assert f"The questions are {', '.join(asked)}." in sentence
    project = render(tmp_path / "my_ops", template=template, vcs_ref="0.0.1")
    start(project)
    with pytest.raises(ValueError, match='"autogard" is not a question'):
        update(project, data={"autogard": "none"})
    update(project)


def test_the_names_of_all_answers_are_known():
    known = module("questions/names.jinja").answer_names
    assert {name for name in QUESTIONS if not name.startswith("_")} <= set(known)


def test_every_question_has_a_default_and_a_help():
    for name, question in QUESTIONS.items():
        if not name.startswith("_"):
            assert "default" in question, name
            assert question.get("when") is False or question["help"], name


def test_enter_alone_gives_the_recommended_project(template, tmp_path):
    asked = [question for question in QUESTIONS.values() if isinstance(question, dict)]
    count = sum("help" in question for question in asked)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("\r" * count)
        copier.run_copy(str(template), tmp_path / "typed", vcs_ref="HEAD", quiet=True)
    default = render(tmp_path / "default", extent=None, template=template)
    assert "extent: core" in (default / ".copier-answers.yml").read_text()
    for name in ["README.md", ".copier-answers.yml", "setup.py", "my_ops/ops/muladd.py"]:
        assert (tmp_path / "typed" / name).read_text() == (default / name).read_text()


def test_questions_fit_a_terminal_of_80_columns():
    helps = [q["help"] for q in QUESTIONS.values() if isinstance(q, dict) and "help" in q]
    helps += [p.read_text() for p in (TEMPLATE / "variants/kernel").glob("*/help.jinja")]
    lines = [line for text in helps for line in text.splitlines()]
    lines += [label for q in QUESTIONS.values() if "choices" in q for label in choices(q)]
    messages = [text for name, text in QUESTIONS.items() if name.startswith("_message_after")]
    lines += [line for text in messages for line in text.splitlines() if "{{ (" not in line]
    assert [line for line in lines if len(line) > 75 and "{%" not in line] == []


def test_choices_mark_one_recommended_answer():
    for name, question in QUESTIONS.items():
        if isinstance(question, dict) and "choices" in question:
            labels = choices(question)
            # A second binding is accepted too, for published packages.
            ends = ("(recommended)", "(recommended to start)")
            marked = [label for label in labels if label.endswith(ends)]
            assert len(marked) == 1, name
            enter = "core" if name == "extent" else question["default"]  # and full in an update
            assert labels[marked[0]] == enter, name


def test_no_trust_is_ever_needed():
    assert not {"_tasks", "_jinja_extensions"} & QUESTIONS.keys()
