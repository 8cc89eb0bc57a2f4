"""Several operators: they render like one, are added by an update, and never removed in silence."""

from __future__ import annotations

import ast
import re
import subprocess

import pytest
import test_render
from cases import FIVE, TWO
from macros import module
from refusals import QUESTIONS, code_of, read, reason, refusal, refused_for, sentence_of
from render import TEMPLATE, files, render
from updating import commit, git, obey, start, update

from variants import DISTINCT

TWENTY = "\n".join(
    f"operator_with_a_rather_long_nm{i}({'Tensor x' if i % 2 else 'float alpha, Tensor x, Tensor y'})"
    for i in range(1, 20)
)
NUMBERS = {2: TWO, 5: FIVE, 20: TWENTY}


def of_op(name: str, compiled: bool = True) -> list[str]:
    """The files of one operator."""
    suffixes = [".h", "_args.h", "_cuda.cu", *[".cpp", "_cpu.cpp"] * compiled]
    return [
        *(f"my_ops/csrc/{name}/{name}{suffix}" for suffix in suffixes),
        f"my_ops/ops/{name}.py",
        f"tests/test_{name}.py",
        f"benchmarks/bench_{name}.py",
    ]


@pytest.mark.parametrize("variant", DISTINCT, ids=str)
@pytest.mark.parametrize("number", NUMBERS)
def test_any_number_of_operators_renders_well(tmp_path, variant, number):
    project = render(tmp_path / "x", variant.answers | {"more_ops": NUMBERS[number]})
    text = files(project)
    test_render.test_parses(project, None)
    test_render.test_text(project, None)
    test_render.test_formatters_leave_it_unchanged(project, None)

    module = ast.parse((project / "my_ops/__init__.py").read_text())
    names = ast.literal_eval(module.body[-1].value)
    assert len(names) == len(set(names)) == number and "muladd" in names
    for name in names:
        assert set(of_op(name, variant.compiled)) <= text.keys()
        assert f"- `my_ops.{name}(" in text["README.md"]
        assert f"from .ops.{name} import {name}\n" in text["my_ops/__init__.py"]
        if variant.compiled:
            assert re.search(rf"\b{name}\b", text["my_ops/csrc/bindings.cpp"])


REFUSED = {
    "gate": "further.form",
    "gate(Tensor x": "further.form",
    "gate(Tensor x))": "further.form",
    "gate(Tensor x) # why": "further.form",
    "a: b: gate(Tensor x)": "further.form",
    "(Tensor x)": "name.letters: muladd, an operator",
    "warp: gate(Tensor x)": "further.kernel: custom, elementwise, image, matmul, rowwise, volume",
    "custom gate(Tensor x)": "further.colon: custom: gate",
    ": gate(Tensor x)": "further.kernel: custom, elementwise, image, matmul, rowwise, volume",
    "muladd(Tensor x)": "further.twice: muladd",
    "muladd_cpu(Tensor x)": "further.part: muladd_cpu, muladd",
    "muladd_backward(Tensor x)": "further.gradient: muladd_backward, muladd",
    "first_backward(Tensor x)": "further.gradient: first_backward, first",
    "MulAdd(Tensor x)": "name.letters: muladd, an operator",
    "permute_2D__sparse(Tensor x)": "name.letters: permute_2d_sparse, an operator",
    "main(Tensor x)": "name.macro: main, an operator",
    "my_ops(Tensor x)": "operator.package: my_ops",
    "package(Tensor x)": "operator.used: package",
    "gate()": "elementwise.no_tensor",
    "gate(float x)": "elementwise.no_tensor",
    "gate(Tensor gate)": "argument.of_operator: gate",
    "gate(Tensor? x)": "elementwise.no_tensor",
    "gate(Tensor x) -> int": 'result.type: "int"',
    "rowwise: norm(Tensor? x)": "rowwise.rows",
    "image: gray(float gain, Tensor image)": "image.image",
    "image: gray(Tensor image, Tensor mask)": 'image.argument: "Tensor mask"',
    "image: gray(Tensor image) -> ()": "image.results",
    "image: gray(Tensor(a!) image) -> ()": "image.results",
    "volume: window(Tensor? volume)": "volume.volume",
    "volume: window(Tensor volume, ScalarType dtype)": 'volume.argument: "ScalarType dtype"',
    "volume: window(Tensor volume) -> (Tensor, Tensor)": "volume.results",
}


@pytest.mark.parametrize("line, why", REFUSED.items())
def test_lines_refused(tmp_path, line, why):
    answer = f"first(Tensor x)\n\n{line}\nlast(Tensor x)\n"
    text = sentence_of(refusal(tmp_path, more_ops=answer))
    assert reason(text) == f"further.line: 3, {why}"
    # An open bracket continues to the end.
    assert read(text)[1]["written"].startswith(f'"{line}')


def test_a_repeated_line_is_refused_at_its_second_place(tmp_path):
    twice = "gate(Tensor x)\ngate(Tensor x)"
    assert refused_for(tmp_path, more_ops=twice) == "further.line: 2, further.twice: gate"


def test_names_that_meet_in_either_order_are_refused(tmp_path):
    for first, second in ["gate", "gate_cuda"], ["gate_cuda", "gate"]:
        why = refused_for(tmp_path, more_ops=f"{first}(Tensor x)\n{second}(Tensor x)")
        assert why == f"further.line: 2, further.part: {second}, {first}"


def test_names_whose_structs_are_called_the_same_are_refused(tmp_path):
    why = refused_for(tmp_path, more_ops="mul_2(Tensor x)\nmul2(Tensor x)")
    assert why == "further.line: 2, further.struct: mul2, mul_2, Mul2"
    for first, second in ["mul2", "mul_2_backward"], ["mul_2_backward", "mul2"]:
        text = refusal(tmp_path, more_ops=f"{first}(Tensor x)\n{second}(Tensor x)")
        assert "Line 2" in text and "the gradient of the second is called mul2_backward" in text


@pytest.mark.parametrize(
    "answers",
    [
        {"op": "rms_norm_backward"},
        {"more_ops": "rms_norm_backward(Tensor x, Tensor grad)"},
        # None of these operators has a kernel for its gradient: the gradient of a reference has none, others have no gradient.
        {
            "kernel": "custom",
            "signature": "Tensor x -> Tensor: [2]",
            "more_ops": "fps_backward(Tensor x)",
        },
        {
            "more_ops": "rowwise: norm(Tensor x: [..., N]) -> Tensor: [..., N]; norm_backward(Tensor x)"
        },
        {"more_ops": "scale(Tensor(a!) x) -> (); scale_backward(Tensor x)"},
        {"more_ops": "image: gray(Tensor image); gray_backward(Tensor x)"},
        {"more_ops": "muladd_backward(Tensor x)", "autograd": "none"},
    ],
    ids=str,
)
def test_names_of_gradients_are_free(tmp_path, answers):
    project = render(tmp_path / "my_ops", answers)
    name, *_ = re.findall(r"\w+_backward", str(answers))
    for path in (project / "tests").glob("*.py"):
        compile(path.read_text(), path, "exec")
    assert set(of_op(name)) <= {path.relative_to(project).as_posix() for path in project.rglob("*")}


# Methods of a mapping, which Jinja gives for a key that the mapping lacks.
METHODS = """\
custom: pick(Tensor items: [keys, N], Tensor? get, int pop=2, bool copy=True, *, float update=1.0)\
 -> (Tensor values: [keys], Tensor count: int64[N], Tensor? index: [N] if copy)
custom: total(Tensor values: T[items], ScalarType get, Tensor keys: I[items]) -> (Tensor: get[items], int clear)\
 where T in {float, int64}, get in {float}, I in {int32, int64}
custom: grouped(Tensor x: [*keys, N], Tensor y: [N, *keys], Tensor z: int64[N]) -> Tensor: float32[*keys]
gate(Tensor items, Tensor? get, float update, float values=1.0)
matmul: product(Tensor items, Tensor values, Tensor get, Tensor? keys, float update)
rowwise: norm(Tensor items, Tensor? values, float keys=1.0)"""


@pytest.mark.parametrize(
    "answers",
    [{"build": "setuptools"}, {"build": "setuptools", "autograd": "cpp"}, {"build": "nvrtc"}],
)
def test_arguments_have_names_of_methods(tmp_path, answers):
    project = render(tmp_path / "my_ops", answers | {"more_ops": METHODS})
    for name, text in files(project).items():
        assert "<built-in" not in text and "<bound method" not in text, name
        if name.endswith(".py"):
            compile(text, name, "exec")


def test_every_kernel_can_be_written(tmp_path):
    kernels = list(QUESTIONS["kernel"]["choices"].values())
    folders = [p.name for p in (TEMPLATE / "variants/kernel").iterdir() if p.is_dir()]
    assert sorted(kernels) == sorted(folders)
    known = module("questions/kernels.jinja").KERNELS
    assert list(known) == kernels
    signatures = [known[kernel]["signature"] for kernel in kernels]
    parts = [text.partition(" -> ") for text in signatures]
    lines = [
        f"{k}: gate{i}({x}){arrow}{y}" for i, (k, (x, arrow, y)) in enumerate(zip(kernels, parts))
    ]
    project = render(tmp_path / "x", {"more_ops": "\n".join(lines)})
    assert all((project / f"my_ops/ops/gate{number}.py").exists() for number in range(len(lines)))


@pytest.fixture
def edited(template, tmp_path):
    """A project of the older template with two operators, both edited."""
    answers = {"more_ops": TWO}
    project = render(tmp_path / "old", answers, template=template, vcs_ref="0.0.1")
    for name in of_op("muladd") + of_op("gate"):
        comment = "# mine" if name.endswith(".py") else "// mine"
        with open(project / name, "a") as file:
            file.write(f"\n{comment}\n")
    start(project)
    return project


def mine(project, name: str) -> set[str]:
    return {file for file in of_op(name) if "mine" in (project / file).read_text()}


def test_an_operator_is_added(edited, template, tmp_path):
    update(edited)
    commit(edited, "newer template")
    before = files(edited)
    update(edited, data={"more_ops": f"{TWO}\nrelu_like(Tensor x)"})
    assert git(edited, "ls-files", "-u") == ""
    after = files(edited)
    assert sorted(after.keys() - before.keys()) == sorted(of_op("relu_like"))
    changed = {name for name in before if after[name] != before[name]}
    shared = {
        "README.md",
        "my_ops/__init__.py",
        "my_ops/ops/__init__.py",
        "my_ops/csrc/bindings.cpp",
    }
    shared.add("my_ops/_project.py")
    assert changed == shared | {".copier-answers.yml"}
    fresh = files(render(tmp_path / "new", {"more_ops": f"{TWO}\nrelu_like(Tensor x)"}))
    assert all(after[name] == fresh[name] for name in shared | set(of_op("relu_like")))


@pytest.mark.parametrize(
    "answers",
    [{"more_ops": ""}, {"more_ops": "relu_like(Tensor x)"}, {"op": "other"}, {"op": "gate"}],
    ids=str,
)
def test_edits_of_a_dropped_operator_are_not_lost(edited, answers):
    """Copier would delete the files."""
    before = files(edited)
    with pytest.raises(ValueError) as error:
        update(edited, data=answers)
    name = "muladd" if "op" in answers else "gate"
    code, values = read(sentence_of(error.value))
    kept = "files.first_operator" if "op" in answers else "files.operator"
    assert code.startswith(kept) and values["name"] == name
    assert git(edited, "status", "--porcelain") == ""
    assert files(edited) == before


def test_an_operator_is_added_as_the_refusal_says(edited):
    """An answer that names only the new operator is refused with the answer that adds it."""
    with pytest.raises(ValueError) as error:
        update(edited, data={"more_ops": "relu_like(Tensor x)"})
    assert code_of(error.value) == "files.operator_kept"
    quoted = re.search(r"--data ('more_ops=.+?')\.", str(error.value))[1]
    answer = subprocess.check_output(["bash", "-c", f"printf %s {quoted}"], text=True)
    update(edited, data=dict([answer.split("=", 1)]))
    assert mine(edited, "gate") == set(of_op("gate"))
    assert set(of_op("relu_like")) <= files(edited).keys()


def test_an_operator_is_removed_as_the_refusal_says(edited):
    with pytest.raises(ValueError) as error:
        update(edited, data={"more_ops": ""})
    obey(edited, error.value)
    update(edited, data={"more_ops": ""})
    assert git(edited, "ls-files", "-u") == ""
    assert not [name for name, text in files(edited).items() if "gate" in text and "csrc" in name]
    assert "gate" not in (edited / "my_ops/__init__.py").read_text()
    assert mine(edited, "muladd") == set(of_op("muladd"))


def test_the_order_of_operators_can_change(edited):
    answers = {"op": "gate", "signature": TWO[5:-1]}
    update(edited, data=answers | {"more_ops": "muladd(Tensor a, Tensor b, float c)"})
    assert mine(edited, "gate") == set(of_op("gate"))
    assert mine(edited, "muladd") == set(of_op("muladd"))


def test_a_package_is_not_renamed_over_its_edits(edited):
    suite = edited / "tests/my_ops_suite/common.py"
    suite.write_text(suite.read_text() + "# mine\n")
    commit(edited, "suite")
    with pytest.raises(ValueError) as error:
        update(edited, data={"project": "other_ops"})
    assert git(edited, "status", "--porcelain") == ""
    obey(edited, error.value)
    update(edited, data={"project": "other_ops"})
    assert git(edited, "ls-files", "-u") == ""
    assert "project: other_ops\n" in (edited / ".copier-answers.yml").read_text()
    assert not [name for name, text in files(edited).items() if "my_ops" in (name + text).lower()]
    assert "# mine\n" in (edited / "tests/other_ops_suite/common.py").read_text()
    for name in of_op("muladd") + of_op("gate"):
        assert "mine" in (edited / name.replace("my_ops/", "other_ops/")).read_text()


def test_a_folder_whose_name_is_a_pattern_is_seen(edited):
    project = edited.rename(edited.with_name("[ab]*?"))
    with pytest.raises(ValueError) as error:
        update(project, data={"more_ops": ""})
    assert code_of(error.value) == "files.operator"
