"""Every signature that a page or a refusal shows is accepted, as a whole or as a part of one."""

from __future__ import annotations

import re
import shlex
from functools import cache
from types import SimpleNamespace

import pytest
import yaml
from macros import data, macro, module
from render import TEMPLATE, files, render
from test_questions import REFUSED_SIGNATURES
from test_shapes import REFUSED, REFUSED_BY_CUSTOM, REFUSED_BY_ROWS

KERNELS = module("questions/kernels.jinja").KERNELS
CONF = SimpleNamespace(dst_path="/none", answers_file="answers.yml")

# What a part of a signature needs around it: arguments before it, and results behind it.
BEFORE = [
    "",
    "Tensor x, ",
    "Tensor x: [N], ",
    "Tensor(a!) x: [N], ",
    "Tensor x: [N], bool wanted, ",
]
BEHIND = ["", " -> ()", " -> Tensor: [N]"]


def refused(signature: str, kernel: str, op: str = "an_operator") -> str:
    """Return the sentence that refuses a signature, or nothing."""
    path = "questions/signature.jinja"
    return macro("refuse_signature", signature, op, kernel, path=path)


def wholes(part: str) -> list[str]:
    """Return signatures that have a part in them."""
    arrow = part.startswith("->")
    if " if " in part and "->" not in part:
        part, arrow = f"-> {part}", True
    given = "".join(f"bool {name}, " for name in re.findall(r" if (\w+)", part))
    # An argument may be the dtype of a result.
    for name in re.findall(r": (?!float|bfloat|u?int|bool)([a-z]\w*)\[", part) if arrow else []:
        given += f"ScalarType {name}, "
        part += "" if " where " in part else f" where {name} in {{float16, float32}}"
    if arrow:
        arguments = ["Tensor(a!) x", "Tensor x", "Tensor x: [N, D]", "Tensor x: [..., N]"]
        return [f"{given}{tensor} {part}" for tensor in arguments]
    return [before + part + behind for before in BEFORE for behind in BEHIND] + [
        f"Tensor x: [N] -> {part}"
    ]


@cache
def accepted(part: str) -> bool:
    """Return whether an answer of `signature` or `more_ops` is accepted, or a part of one."""
    part = " ".join(part.split())
    if re.match(r"(?:\w+: ?)?(?!Tensor\b)\w+ ?\(", part):
        path = "questions/more_ops.jinja"
        first = {"name": "the_first", "kernel": "elementwise", "signature": "Tensor x"}
        return not macro("refuse_more_ops", part, first, "my_ops", "function", path=path)
    return any(not refused(whole, kernel) for whole in wholes(part) for kernel in KERNELS)


# An answer in a command, or by itself.
ANSWER = r"""(?:--data +|\A)('\w+=[^']*(?:'\\''[^']*)*'|"\w+=[^"]*"|more_ops=.*\Z)"""


def entries(more_ops: str) -> list[str]:
    """Return the operators of an answer, without the signs of changes."""
    path = "questions/more_ops.jinja"
    text = macro("with_those_before", more_ops, CONF, {"previous": {}}, path=path)
    return [line["text"] for line in data("operators", text, path="questions/schema.jinja")]


def shown_in(page: str) -> list[str]:
    """Return what a page shows of signatures: in commands, between backticks and on lines of their own."""
    page = re.sub(r"^ *```\w+\n.*?^ *```", "", page, flags=re.MULTILINE | re.DOTALL)
    lines = [
        line
        for block in re.findall(r"^ *```\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    page = re.sub(r"^ *```\n.*?^ *```", "", page, flags=re.MULTILINE | re.DOTALL)
    found = []
    for text in re.findall(r"`([^`]+)`", page) + lines:
        if answers := re.findall(ANSWER, text):
            unquoted = [x if x.startswith("more_ops=") else shlex.split(x)[0] for x in answers]
            values = dict(answer.split("=", 1) for answer in unquoted)
            found += [values["signature"]] if "signature" in values else []
            found += entries(values.get("more_ops", ""))
        else:
            found.append(text)
    words = (
        r"\bTensor(?:\([a-z]!\)|!)?(?:\[\])?\??(?: \w+|: ?\w*\[)|^\w+\(\w* ?Tensor|-> *[(\[]?Tensor"
    )
    return [
        text
        for text in found
        if re.search(words, text) and "..." not in re.sub(r"\[\.\.\.|<.*?>", "", text)
    ]


PAGES = [*TEMPLATE.glob("*.md"), *TEMPLATE.glob("docs/*.md")]
EXAMPLES = {(page.name, text) for page in PAGES for text in shown_in(page.read_text())}


@pytest.mark.parametrize("page, text", sorted(EXAMPLES))
def test_pages_show_signatures_that_are_accepted(page, text):
    assert accepted(text)


def test_pages_are_searched_for_signatures():
    found = {text for _, text in EXAMPLES}
    assert "Tensor gate, Tensor up, float limit=7.0" in found
    assert any(text.startswith("custom: gather(") for text in found)
    assert "Tensor? weight=None" in found and "-> (Tensor out, Tensor rstd)" in found
    assert not accepted(
        "custom: gather(Tensor x: [N, D], Tensor torch: int64[M]) -> Tensor: [M, D]"
    )
    assert not accepted("Tensor? weight=1") and not accepted("-> float")


# Commands in a project have the arguments of its first operator, and more.
PROJECTS = {
    **{kernel: {"kernel": kernel} for kernel in KERNELS},
    "core": {"extent": "core"},
    "nvrtc": {"build": "nvrtc", "extent": "core"},
    "written": {"signature": "Tensor(a!) out, Tensor x, *, str how='mean' -> ()"},
    "rows": {"kernel": "rowwise", "signature": "Tensor x: [..., N] -> Tensor: float32[...]"},
    "defaults": {"signature": "(Tensor x, *, bool flag=False) -> (Tensor y, Tensor z)"},
    "lists": {
        "kernel": "custom",
        "signature": "Tensor[] xs: [N], *, int[2] k=[1, 1] -> Tensor: [N]",
    },
    "computed": {
        "kernel": "custom",
        "signature": "Tensor x: [N, H], int k -> Tensor: [N, (H - k) // 2 + 1]",
    },
    "several": {"more_ops": "rowwise: norm(Tensor x)\ncustom: total(Tensor x: [N]) -> Tensor: [1]"},
}


@pytest.mark.parametrize("answers", PROJECTS.values(), ids=PROJECTS)
def test_projects_show_signatures_that_are_accepted(answers, tmp_path):
    texts = files(render(tmp_path / "my_ops", answers))
    shown = [
        text for name, page in texts.items() if name.endswith(".md") for text in shown_in(page)
    ]
    assert len(shown) >= 2, shown
    assert [text for text in shown if not accepted(text)] == []


def test_helps_show_signatures_that_are_accepted():
    questions = yaml.safe_load((TEMPLATE / "copier.yml").read_text())
    helps = " ".join(q["help"] for q in questions.values() if isinstance(q, dict) and "help" in q)
    helps += " ".join(kernel["help"] for kernel in KERNELS.values())
    helps = " ".join(helps.split())
    shown = re.findall(
        r"(?:such as|as in|another,) ((?:\w+: )?\w*\(?Tensor.*?)(?=\. |, and \"|; the|$)", helps
    )
    assert len(shown) >= 4, shown
    assert [text for text in shown if not accepted(text)] == []


SENTENCES = {refused(signature, "elementwise", "f") for signature in REFUSED_SIGNATURES}
SENTENCES |= {refused(signature, "elementwise", "fps") for signature in REFUSED}
SENTENCES |= {refused(signature, "custom", "fps") for signature in REFUSED_BY_CUSTOM}
SENTENCES |= {refused(signature, "rowwise", "fps") for signature in REFUSED_BY_ROWS}
PROPOSED = sorted(
    {
        text
        for sentence in SENTENCES
        for text in re.findall(r'(?:[Ww]rite|as in|such as|add|is) "([^"]+)"', sentence)
        if re.search(r"Tensor\S* \w|Tensor\S*:|-> ", text)
    }
)


@pytest.mark.parametrize("text", PROPOSED)
def test_refusals_propose_signatures_that_are_accepted(text):
    assert accepted(text)


# Their fault is also the fix.
FAULTS = r'"a_?" names|Two results|".*" (is not a size|has 1 "\(|calls a)|After "if"'


@pytest.mark.parametrize("sentence", sorted(SENTENCES - {""}))
def test_refusals_begin_with_what_to_do_at_a_prompt(sentence):
    """A terminal of 80 columns shows the first 35 letters."""
    typed = {"defaults": False, "data": {}}
    shown = macro("shown", "signature", typed, sentence, path="questions/names.jinja")
    assert shown.endswith(sentence)
    begins = "Add|Give|Answer|As in|Call|Choose|Leave|Let|Name|Return|Try|Use|Write"
    assert re.match(rf"({begins}) |({FAULTS})", shown), shown


def test_example_passes_the_numbers_that_its_tensors_have(tmp_path):
    """The default of k is 2, and x has N * 3 elements."""
    signature = (
        "Tensor x: [N * k, M] if wide else [N], bool other, int k=2, bool wide=False -> Tensor: [N]"
    )
    project = render(tmp_path, {"kernel": "custom", "op": "scaled", "signature": signature})
    assert "my_ops.scaled(x, True, k=k, wide=wide)" in (project / "README.md").read_text()
