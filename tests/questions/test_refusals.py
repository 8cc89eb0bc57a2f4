"""The sentences that refuse answers, questions/refusals.yml, and their codes."""

from __future__ import annotations

import re
from collections import Counter
from types import SimpleNamespace

import pytest
from macros import module
from refusals import NAMES, SENTENCES, SIGNATURE, VALUE, reason, reasons
from render import TEMPLATE

SOURCES = [
    TEMPLATE / "copier.yml",
    *(TEMPLATE / "questions").glob("*.jinja"),
    *TEMPLATE.glob("variants/**/refuse.jinja"),
]
TEXT = "\n".join(path.read_text() for path in SOURCES)
CODE = re.compile(r"'([a-z0-9_]+\.[a-z0-9_]+)'")
# Another sentence follows these, or several others.
OPEN = {"further.line", "argument.type", "signature.more"}


def test_every_code_is_used_and_every_used_code_exists():
    subjects = {code.partition(".")[0] for code in SENTENCES}
    used = {
        code
        for code in CODE.findall(TEXT)
        if code.partition(".")[0] in subjects and ".jinja" not in code
    }
    assert used == SENTENCES.keys()


def test_no_two_codes_have_one_sentence():
    """Neither a person nor a test could tell them apart."""
    bare = Counter(VALUE.sub("%", sentence) for sentence in SENTENCES.values())
    assert [sentence for sentence, count in bare.items() if count > 1] == []


@pytest.mark.parametrize("code", SENTENCES)
def test_sentences_have_one_form(code):
    """A fault and its fix, from a capital letter or what was typed to a period."""
    sentence = SENTENCES[code]
    # Behind "Line 3:", a sentence continues.
    assert re.match(
        r'["%*]|[A-Z]' if not code.startswith("further.") else r'["%]|[A-Za-z]', sentence
    )
    assert sentence.endswith((".", "?", "%(folder)s")) or code in OPEN
    assert "  " not in sentence and "\n" not in sentence
    assert sentence.count('"') % 2 == 0 and sentence.count("(") == sentence.count(")")
    names = VALUE.findall(sentence)
    assert all(re.fullmatch(r"[a-z]+", name) for name in names)
    assert not re.search(r'"%\((text|written)\)', sentence), "they have quotes already"


FIX = re.compile(
    r"\b(?:add|answer|as in|begin|call|choose|did you mean|give|leave|let|make|mark|move|needs|press|restore|rename|returns?|"
    r"run|start|such as|takes|try|use|write)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("code", sorted(SENTENCES.keys() - OPEN))
def test_sentences_name_a_fix(code):
    assert FIX.search(SENTENCES[code]) or "%(custom)s" in SENTENCES[code]


# Signatures, each with a kernel, for codes that no other test reaches.
OTHERS = {
    ("elementwise", "Tensor(a!)[] x, Tensor y -> ()"): "argument.written_list: x",
    ("elementwise", "Tensor x, bool[2] m"): "argument.type: type.bools: m, int[2] m",
    (
        "elementwise",
        "Tensor(a!) x, Tensor y -> (Tensor out, Tensor(a!))",
    ): "elementwise.order: Tensor(a!), Tensor out",
    ("custom", "Tensor x: [N], DType d -> Tensor: [N]"): "argument.type: type.dtype: d",
    ("custom", "Tensor x: [N], InterpolationMode m -> Tensor: [N]"): "argument.type: type.enum: m",
    ("custom", "Tensor y: [N], Tensor[] x=None -> Tensor: [N]"): "default.none_of_list: Tensor[]",
    ("custom", "Tensor x: [99999999999999999] -> Tensor: [1]"): 'size.large: "99999999999999999"',
    ("custom", "Tensor x: [run_on_cpu] -> Tensor: [1]"): "size.used: run_on_cpu",
    ("custom", "Tensor x: [N]], Tensor y: [[M] -> Tensor: [1]"): "shape.brackets: 1, 2\n"
    "shape.brackets: 2, 1",
    (
        "rowwise",
        "Tensor x: [N], bool w -> Tensor: float32[N] if w else T[N]",
    ): 'two_dtypes.kernel: "Tensor: float32[N] if w else T[N]"',
    ("matmul", "Tensor a, Tensor b, str how"): 'matmul.argument: "str how"',
    ("elementwise", "Tensor x y, Tensor z: [x.numel()]"): "size.numel_later: x.numel(), x",
    ("custom", "Tensor x: [y.numel()], int z -> Tensor y: [N]"): "size.numel_later: y.numel(), y",
    ("custom", "Tensor x: [N] -> Tensor: [2 * (N)]"): "",
    ("custom", "Tensor x: [(N)] -> Tensor: [N]"): "",
    (
        "elementwise",
        "Tensor x=None: [N], Tensor y",
    ): "default.before_shape: Tensor? x: [N]=None\ndefault.missing: Tensor x=None: [N]",
    ("elementwise", "Tensor x -> Tensor x"): "signature.argument_and_result: x",
    ("custom", "Tensor x: [N] -> Tensor: [K?, K + 1]"): "size.counted_part: K + 1, K",
    ("rowwise", "Tensor(a!) x -> ()"): "rowwise.results",
    ("rowwise", "Tensor x, str how"): 'rowwise.argument: "str how"',
}


@pytest.mark.parametrize(("kernel", "signature"), OTHERS)
def test_other_signatures_refused(kernel, signature):
    refused = SIGNATURE.refuse_signature(signature, "an_operator", kernel)
    assert reasons(refused.strip()) == OTHERS[kernel, signature]


def test_other_answers_refused(tmp_path):
    conf = SimpleNamespace(dst_path=tmp_path, answers_file="answers.yml", defaults=False, data={})
    assert reason(NAMES.refuse_appended("op", "muladdgelu", conf)) == "answer.appended: muladd"
    assert reason(NAMES.refuse_no_cpp(False, "jit", "my_ops", conf)) == "cpp.required"
    assert reason(NAMES.refuse_text("a\u200bb", "author")) == "text.invisible: author, U+200B"
    assert reason(NAMES.refuse_project("ops_")) == "package.underscore: ops, ops_"
    assert reason(NAMES.refuse_project("abort")) == "package.libc: abort"
    (tmp_path / "answers.yml").touch()
    previous = {"previous": {"project": "my_ops", "more_ops": ""}}
    refused = NAMES.refuse_new_package("new_ops", conf, previous)
    assert reason(refused).startswith("package.renamed: my_ops, git grep -lIzi my_ops | ")
    refused = module("questions/more_ops.jinja").refuse_changes("-gelu", "muladd", conf, previous)
    assert reason(refused) == "further.none: gelu"


def test_every_code_is_in_a_test():
    tests = "\n".join(path.read_text() for path in (TEMPLATE / "tests").rglob("*.py"))
    assert SENTENCES.keys() <= set(re.findall(r"[a-z0-9_]+\.[a-z0-9_]+", tests))
