"""Every word of the rendered C++ compiles as an operator, as an argument and as a package, or is refused.

The sources use an operator's name only as text. So the sources of one operator are copied for each word, into one file.
The compiler parses this file and instantiates its templates in seconds, and generates no code.
"""

from __future__ import annotations

import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
import torch
from building import each
from refusals import REFUSE, SIGNATURE, refuse_argument
from render import render
from test_kernels import HERE, launched_on_the_cpu

from variants import Variant

KERNELS = """
rowwise: qrows(Tensor x, Tensor weight, float eps=1e-6)
matmul: qproduct(Tensor a, Tensor b, Tensor bias, float scale)
image: qimage(Tensor image)
volume: qvolume(Tensor volume, float? low=None, float? high=None)
qwritten(Tensor(a!) out, Tensor x, Tensor? weight=None, *, float eps=1e-5, ScalarType? dtype=None) -> Tensor
"""
# The C++ of a gradient has words of its own.
VARIANTS = each([Variant("inline", "torch_library", x) for x in ("function", "cpp")])
INCLUDE = Path(torch.__file__).parent / "include"
FLAGS = [f"-I{INCLUDE}", f"-I{INCLUDE}/torch/csrc/api/include"]
FLAGS += [f"-I{sysconfig.get_path('include')}", "-DTORCH_EXTENSION_NAME=_C"]


def words_of(csrc: Path) -> set[str]:
    found = set()
    for path in csrc.rglob("*"):
        if path.is_file():
            text = re.sub(r'//.*|".*?"|#include.*', "", path.read_text())
            found |= set(re.findall(r"[A-Za-z_]\w*", text))
    # Names that the code derives from these operators and their arguments.
    return {
        word
        for word in found
        if not re.search(
            "q(op|one|two|rows|product|image|volume|written|shapes|counted|types|[a-g]$)",
            word,
            re.IGNORECASE,
        )
    }


def groups_of(words: list[str]) -> list[list[str]]:
    """Return the words in groups of at most 30, in which none is made of another one, as grad_x of x."""
    groups: dict[tuple, list[str]] = {}
    for word in words:
        parts = re.findall("^_*grad_|_values?(?=_*$)|^_+|_+$", word)
        number = sum(key[:-1] == tuple(parts) and len(group) == 30 for key, group in groups.items())
        groups.setdefault((*parts, number), []).append(word)
    return list(groups.values())


def errors(source: Path, text: str, *flags: str | Path) -> list[str]:
    """Parse a file with g++ and return its errors."""
    source.write_text(text)
    command = ["g++", "-fsyntax-only", "-fmax-errors=0", "-w", *flags, *FLAGS, source]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [line for line in result.stderr.splitlines() if "error:" in line]
    assert bool(found) == bool(result.returncode), result.stderr[-3000:]
    return [line.removeprefix(f"{source.parent}/") for line in found]


@pytest.mark.parametrize("variant", VARIANTS)
def test_words_compile(variant, tmp_path):
    answers = {"op": "qop", "signature": "Tensor qone, float qtwo"} | variant.answers
    csrc = render(tmp_path / "all", answers | {"more_ops": KERNELS}) / "my_ops/csrc"
    words = sorted(words_of(csrc))
    # Not what launches are replaced by, which no project has.
    arguments = [word for word in words if word != "launch" and not refuse_argument(word)]
    ops = [word for word in words if not REFUSE["op"](word)]
    assert len(arguments) > 200 and len(ops) > 150

    forms = [
        "({}, Tensor qone)",
        "({}, Tensor qone) -> (Tensor, Tensor)",
        "(Tensor(a!)? qout, {}, Tensor qone) -> Tensor",
    ]
    lines = []
    for number, group in enumerate(groups_of(arguments)):
        items = ", ".join(f"{kind} {x}" for kind, x in zip(["float", "Tensor"] * 15, group))
        lines.append(f"qop{number}{forms[number % 3].format(items)}")
    more = "\n".join([KERNELS, *lines])
    csrc = render(tmp_path / "my_ops", answers | {"more_ops": more}) / "my_ops/csrc"
    bindings = [(csrc / "bindings.cpp").read_text()]
    alone = render(tmp_path / "alone", answers) / "my_ops/csrc/bindings.cpp"
    # Here, the kit is in the namespace of one package.
    header = (csrc / "kit/autograd.h").read_text()
    kit = "".join(
        f"using my_ops::{x};\n"
        for x in {*re.findall(r"^(?:auto|(?:inline )?bool) (\w+)\(", header, re.MULTILINE)}
    )
    head, body = alone.read_text().split("namespace my_ops {\n")
    for number, word in enumerate(ops):
        of_word = body.replace("my_ops", f"package{number}").replace("qop", word)
        bindings.append(f"{head}namespace package{number} {{\n{kit}{of_word}")
    # Of two words that make structs of one name, one is refused beside the other.
    classes = {"".join(part.capitalize() for part in word.split("_")): word for word in ops}
    for class_name, word in classes.items():
        for path in (csrc / "qop").iterdir():
            copy = csrc / word / path.name.replace("qop", word)
            copy.parent.mkdir(exist_ok=True)
            text = path.read_text().replace("qop", word)
            copy.write_text(re.sub(r"\bQop(?=(Backward)?Args\b)", class_name, text))
    for path in csrc.glob("*/*_cuda.cu"):
        launched_on_the_cpu(path, "launch")

    folders = sorted(path.parent.name for path in csrc.glob("*/*_cuda.cu"))
    tensors = [f'#include "{name}/{name}.cpp"' for name in folders]
    loops = [f'#include "{name}/{name}_cpu.cpp"' for name in folders]
    # The stand-ins are enough for elementwise kernels.
    others = {"qproduct", "qrows", "qimage", "qvolume"}
    kernels = [f'#include "{name}/{name}_cuda.cu"' for name in folders if name not in others]
    found = errors(csrc / "tensors.cpp", "\n".join([*tensors, *bindings]), "-std=c++20")
    found += errors(csrc / "loops.cpp", "\n".join(loops), "-std=c++17")
    stand_ins = ["-DUSE_CUDA", "-include", HERE / "stand_ins.h", f"-I{HERE}"]
    found += errors(csrc / "kernels.cpp", "\n".join(kernels), "-std=c++17", *stand_ins)
    # A package is a namespace beside all that the headers declare.
    packages = [word for word in words if not REFUSE["project"](word)]
    assert len(packages) > 150
    spaces = [f"namespace {word} {{}}" for word in packages]
    bound = ['#include "kit/shapes.h"', alone.read_text(), *spaces]
    found += errors(csrc / "packages.cpp", "\n".join(bound), "-std=c++20")
    assert not found, "\n".join(found)


# Operators whose C++ has most of what other operators of their kernel have.
CUSTOM = """
custom: qshapes(Tensor qa: [Q, R], Tensor? qb: [Q], Tensor(a!) qc: [Q], Tensor[] qd: [Q], int qe) -> (Tensor qf: [Q * R, qe], Tensor qg: int64[Q])
custom: qcounted(Tensor qa: [..., Q]) -> Tensor qb: int64[K?, Q // 2]
custom: qtypes(Tensor qa: V[Q], Tensor qb: W[Q]) -> Tensor qc: V[Q] where V in {float, int64}, W in {int32, int64}
"""
OPERATORS = {
    "rowwise": ["qrows"],
    "matmul": ["qproduct"],
    "image": ["qimage"],
    "volume": ["qvolume"],
    "custom": ["qshapes", "qcounted", "qtypes"],
}
# The type that the math of rows computes in steps aside.
ROWS = [
    "rowwise: qvalue0(Tensor value_t: [..., Q], float q2) -> (Tensor: [..., Q], Tensor: float32[...])",
    "rowwise: qvalue1(Tensor q1: [..., value_t], int _value) -> (Tensor found: [...], Tensor: int64[...])",
]
# Signatures with a place for arguments, and the types of these.
FORMS = {
    "rowwise": (["(Tensor q1, {})"], ["float", "Tensor"]),
    "matmul": (["(Tensor q1, Tensor q2, {})"], ["float", "Tensor"]),
    "image": (["(Tensor q1, {})"], ["float", "int"]),
    "volume": (["(Tensor q1, float? q2, float? q3, {})"], ["float", "int"]),
    "custom": (
        [
            "(Tensor q1: [Q, R], {}) -> (Tensor q3: [Q, R], Tensor q4: int64[Q])",
            "(Tensor q1: [..., Q, R], {}) -> Tensor q3: [..., Q // 2 + R]",
            "(Tensor q1: V1[Q, R], Tensor q2: V2[R], {}) -> Tensor q3: V1[Q] where V1 in {{float, int64}}, V2 in {{int32, int64}}",
        ],
        ["float {}", "Tensor {}: [Q]", "int {}", "Tensor? {}: int32[R]", "Tensor! {}: [Q]"],
    ),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_words_of_kernels_compile(variant, tmp_path):
    """Words in the C++ of a kernel's operators name arguments; of custom operators, sizes and results, too."""
    answers = {"op": "qop", "signature": "Tensor qone, float qtwo"} | variant.answers
    csrc = render(tmp_path / "all", answers | {"more_ops": KERNELS + CUSTOM}) / "my_ops/csrc"
    lines = []
    for kernel, (forms, types) in FORMS.items():
        words = set().union(*(words_of(csrc / op) for op in OPERATORS[kernel]))
        words = [word for word in sorted(words) if not refuse_argument(word, kernel)]
        # A name that is made of an argument's name is refused beside it.
        words = [x for x in words if not re.search("^needs_|^[QR]$", x)]
        assert len(words) > 3
        for number, group in enumerate(groups_of(words)):
            typed = [types[i % len(types)] for i in range(len(group))]
            typed = [x.format(word) if "{" in x else f"{x} {word}" for x, word in zip(typed, group)]
            form = forms[number % len(forms)].format(", ".join(typed))
            lines.append(f"{kernel}: q{kernel}{number}{form}")
    lines += ROWS
    form = "Tensor q1: [{0}] -> Tensor {0}_out: [{0}]"
    words = [
        x for x in words if not SIGNATURE.refuse_signature(form.format(x), "q", kernel).strip()
    ]
    for number in range(0, len(words) - 2, 6):
        *sizes, first, second = words[number : number + 6]
        lines.append(
            f"custom: qsizes{number}(Tensor q1: [{', '.join(sizes)}]) -> "
            f"(Tensor {first}: [{' + '.join(sizes)}], Tensor {second}: int64[2])"
        )
    csrc = render(tmp_path / "my_ops", answers | {"more_ops": "\n".join(lines)}) / "my_ops/csrc"
    names = sorted(path.parent.name for path in csrc.glob("*/*_cuda.cu"))
    assert len(names) == len(lines) + 1
    tensors = [f'#include "{name}/{name}.cpp"' for name in names]
    bindings = (csrc / "bindings.cpp").read_text()
    found = errors(csrc / "tensors.cpp", "\n".join([*tensors, bindings]), "-std=c++20")
    loops = [f'#include "{name}/{name}_cpu.cpp"' for name in names]
    found += errors(csrc / "loops.cpp", "\n".join(loops), "-std=c++20")
    assert not found, "\n".join(found)
