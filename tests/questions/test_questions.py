"""The questions refuse wrong answers and name the reason."""

from __future__ import annotations

import keyword
import subprocess
import sys
from collections import Counter

import copier
import pytest
from jinja2.runtime import Macro
from macros import module
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from refusals import (
    FRAME,
    QUESTIONS,
    REFUSE,
    SIGNATURE,
    choices,
    code_of,
    reasons,
    refusal,
    refused_for,
    sentence_of,
)
from render import TEMPLATE, render
from updating import start, update


@pytest.mark.parametrize(
    "project, code",
    {
        "": "name.letters",
        "3d": "name.letters",
        "my-ops": "name.letters",
        "MyOps": "name.letters",
        "my ops": "name.letters",
        "my__ops": "name.letters",
        "ops\n": "name.letters",
        "opé": "name.letters",
        "x" * 65: "name.long",
        "class": "name.python",
        "namespace": "name.cpp",
        "linux": "name.macro",
        "torch": "name.library",
        "std": "name.library",
        "random": "package.stdlib",
        "packaging": "package.imported",
        "sympy": "package.imported",
        "tests": "package.tool",
        "exp": "package.math",
        "quantized": "package.torch",
        "true": "name.cpp",
        "nul": "name.windows",
        "filelock": "package.tool",
    }.items(),
)
def test_project_names_refused(tmp_path, project, code):
    assert refused_for(tmp_path, project=project).partition(":")[0] == code


@pytest.mark.parametrize(
    "op, code",
    {
        "1up": "name.letters",
        "lambda": "name.python",
        "template": "name.cpp",
        "main": "name.macro",
        "my_ops": "operator.package",
        "ops": "operator.used",
        "sys": "operator.used",
        "pytestmark": "operator.used",
        "opmath_t": "operator.used",
    }.items(),
)
def test_op_names_refused(tmp_path, op, code):
    assert refused_for(tmp_path, op=op).partition(":")[0] == code


REFUSED_SIGNATURES = {
    "": "elementwise.no_tensor",
    "Tensor": 'argument.form: "Tensor"',
    "Tensor a,": 'argument.form: ""',
    "Tensor a b": 'argument.form: "Tensor a b"',
    "Tensor a = 3": "default.none: Tensor, a",
    "Tensor a; float c": 'argument.form: "Tensor a; float c"',
    "tensor a": "argument.schema: Tensor a",
    "at::Tensor a": "argument.schema: Tensor a",
    "Tensor a, c10::Device d": "argument.schema: Device d",
    "Tensor a, at::Layout? l": "argument.schema: Layout? l",
    "Tensor a, at::MemoryFormat m": "argument.schema: MemoryFormat m",
    "Tensor a, torch.memory_format m": "argument.schema: MemoryFormat m",
    "const torch::Tensor& a": "argument.schema: Tensor a",
    "a: torch.Tensor": "argument.schema: Tensor a",
    "Tensor& out, Tensor a": "argument.schema: Tensor(a!) out",
    "Optional[Tensor] w, Tensor a": "argument.schema: Tensor? w",
    "Tensor a, std::optional<at::Tensor> w": "argument.schema: Tensor? w",
    "Tensor a, const at::Tensor* w": "argument.schema: Tensor w",
    "Tensor a, std::int64_t n": "argument.schema: int n",
    "a: Tensor | None": "argument.schema: Tensor? a",
    "Tensor a, double c": "argument.schema: float c",
    "Tensor a, int64_t n": "argument.schema: int n",
    "Tensor a, const int n": "argument.schema: int n",
    "Tensor a, const double c": "argument.schema: float c",
    "Tensor a, unsigned int n": "argument.schema: int n",
    "Tensor a, const unsigned long long n": "argument.schema: int n",
    "Tensor[][] a": 'argument.list_of_lists: "Tensor[][] a"',
    "Tensor a, std::vector<int64_t> n": "argument.schema: int[] n",
    "Tensor a, List[Tensor] b": "argument.schema: Tensor[] b",
    "Tensor a, const char* mode": "argument.schema: str mode",
    "Tensor a, dtype d": "argument.schema: ScalarType d",
    "Tensor a, Generator? g": "argument.type: type.generator",
    "Tensor a, Tensor?[] b": "argument.type: type.others",
    "Tensor? a": "elementwise.no_tensor",
    "Tensor a, float b=fast": "default.form: float, b, 1e-5",
    "Tensor a, float b=1e400": "default.form: float, b, 1e-5",
    "Tensor a, float[] b=[1, -1e-400]": "default.form: float[], b, [1.0, 1.0]",
    "Tensor a, float[2] b=[01, 2]": "default.form: float[2], b, [1.0, 1.0]",
    "Tensor a, int b=9223372036854775808": "default.form: int, b, 1",
    "Tensor a, int b=007": "default.form: int, b, 1",
    "Tensor a, SymInt b=00": "default.form: SymInt, b, 1",
    "Tensor a, int[] b=[1, 02]": "default.form: int[], b, [1, 1]",
    "Tensor a, bool b=true": "default.form: bool, b, True",
    "Tensor a, str b=mean": 'default.form: str, b, "mean"',
    "Tensor a, int[2] b=[1, 2": 'default.form: int[2], b, [1, 1]\nargument.form: "2"',
    "Tensor a, int[2] b=[1, 2, 3]": "default.length: 3, int[2], 2, b=[1, 2]",
    "Tensor a, float[3]? b=[0.5]": "default.optional_list: float[3] b=[0.5], float[3]? b=None",
    "Tensor a, ScalarType d=float": "default.none: ScalarType, d",
    "Tensor a, float b=1.0, int c": "default.missing: float b=1.0",
    "Tensor a, *": "signature.star",
    "Tensor a, *, float b, *, int c": "signature.star",
    "Tensor(a!) a": "signature.arrow",
    "Tensor a, int(a!) b -> ()": "argument.written: b",
    "Tensor a -> ()": "elementwise.no_result",
    "Tensor a -> int": 'result.type: "int"',
    "Tensor a -> Tensor?": "absent.kernel: out",
    "Tensor a -> Tensor(a!)": 'result.not_written: "Tensor(a!)"',
    "Tensor(a) a -> Tensor(a)": 'result.view: "Tensor(a)"',
    "Tensor a -> (Tensor b, Tensor b)": "signature.two_results",
    "Tensor a -> Tensor lambda": "name.python: lambda, a result, lambda_out",
    "scale(Tensor a) -> Tensor": "signature.operator: scale",
    "Tensor! a, Device d -> ()": "signature.device: d",
    "Tensor! a, str mode -> ()": "signature.compiled_name: mode, kind",
    "Tensor a, Tensor a_": "argument.twice: a_",
    "Tensor a, Tensor a": "argument.twice: a",
    "float c": "elementwise.no_tensor",
    "Tensor 1a": 'argument.letters: "1a"',
    "Tensor a-b": 'argument.form: "Tensor a-b"',
    "Tensor lambda": "name.python: lambda, an argument, lambda_in",
    "Tensor float": "name.cpp: float, an argument, float_in",
    "Tensor NULL": "name.macro: NULL, an argument",
    "Tensor torch": "argument.used: torch, torch",
    "Tensor grad_a, Tensor a": 'signature.derived_grad: grad_a, "a", a_grad',
    "Tensor a, bool needs_a": 'signature.derived: needs_a, "a"',
    "Tensor a, Tensor needs_a_": 'signature.derived: needs_a, "a"',
    "Tensor muladd": "argument.of_operator: muladd",
    "Tensor "
    + "a" * 41: "name.long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, 41, an argument, 40",
    ", ".join(f"Tensor a{i}" for i in range(65)): "signature.long: 65",
    ", ".join(f"Tensor! a{i}" for i in range(130)) + " -> ()": "signature.long: 130",
}


@pytest.mark.parametrize("signature, reason", REFUSED_SIGNATURES.items())
def test_signatures_refused(tmp_path, signature, reason):
    assert refused_for(tmp_path, signature=signature) == reason


@pytest.mark.parametrize("kernel", ["elementwise", "custom"])
def test_a_refused_type_is_told_all_types(tmp_path, kernel):
    """Dtypes of a custom operator are in its signature, and so its refusal leaves out ScalarType."""
    sentence = sentence_of(refusal(tmp_path, kernel=kernel, signature="Tensor x, Foo y -> Tensor"))
    told = sentence.partition(" Use ")[2].partition(", each")[0].replace(" or ", ", ").split(", ")
    types = vars(module("languages/types.jinja"))["types"]
    every = [name for name, entry in types.items() if "accepted" in entry]
    assert told == [name for name in every if kernel == "elementwise" or name != "ScalarType"]


@pytest.mark.parametrize("question", ["description", "author"])
@pytest.mark.parametrize(
    "text, code", {" ": "text.empty", "a\nb": "text.lines", "x" * 201: "text.long"}.items()
)
def test_texts_refused(tmp_path, question, text, code):
    assert refused_for(tmp_path, **{question: text}).startswith(f"{code}: {question}")


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
    assert refused_for(tmp_path, repository=repository).startswith("repository.address: ")


@pytest.mark.parametrize(
    "answers, code",
    [
        ({"build": "nvrtc"}, "autograd.nvrtc"),
        ({"binding": "torch_stable"}, "autograd.stable"),
    ],
    ids=str,
)
def test_autograd_in_cpp_refused(tmp_path, answers, code):
    assert refused_for(tmp_path, autograd="cpp", **answers) == code


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
        ("signature", "Tensor a, Tensor a", 'Give each its own name: "a" names'),
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
    words = module("questions/words.jinja").WORDS
    assert set(keyword.kwlist) <= set(words["python"])
    modules = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    assert modules <= set(words["stdlib"])
    assert all(isinstance(word, str) for group in words.values() for word in group)


def test_names_of_no_question_are_refused(template, tmp_path):
    """Copier ignores them silently: --data autogard=none would render the default."""
    sentence = refusal(tmp_path, autogard="none")
    assert reasons(sentence_of(sentence)) == 'answer.unknown: "autogard"'
    asked = [name for name, q in QUESTIONS.items() if isinstance(q, dict) and "help" in q]
    assert f"The questions are {', '.join(asked)}." in sentence
    project = render(tmp_path / "my_ops", template=template, vcs_ref="0.0.1")
    start(project)
    with pytest.raises(ValueError) as error:
        update(project, data={"autogard": "none"})
    assert code_of(error.value) == "answer.unknown"
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


def test_a_signature_is_parsed_once(monkeypatch, tmp_path):
    """Validators and computed answers need the same facts, and Copier renders a computed answer twice."""
    called = Counter()
    call = Macro.__call__

    def counted(self, *args, **keywords):
        called[self.name] += 1
        return call(self, *args, **keywords)

    monkeypatch.setattr(Macro, "__call__", counted)
    render(tmp_path / "x", {"kernel": "custom"})
    assert (called["_parse"], called["_read_shapes"]) == (1, 1)


def test_no_trust_is_ever_needed():
    assert not {"_tasks", "_jinja_extensions"} & QUESTIONS.keys()
