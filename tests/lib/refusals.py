"""The questions and their refusals: by rendering, or by only calling their macros."""

from __future__ import annotations

import re
from functools import cache

import pytest
import yaml
from macros import module
from render import TEMPLATE, render

QUESTIONS = yaml.safe_load((TEMPLATE / "copier.yml").read_text())


def choices(question: dict) -> dict[str, str]:
    """Return the value of each label; a choice with a validator is a table."""
    return {
        label: choice["value"] if isinstance(choice, dict) else choice
        for label, choice in question["choices"].items()
    }


# The sentences by their codes.
SENTENCES = yaml.safe_load((TEMPLATE / "questions/refusals.yml").read_text())
# Values in JSON: what was typed.
TYPED = ("text", "written")
VALUE = re.compile(r"%\((\w+)\)[sd]")


@cache
def pattern(code: str) -> re.Pattern:
    """Return what matches the sentence with this code, with its values as groups."""
    names, parts = set(), VALUE.split(SENTENCES[code])
    for i, name in enumerate(parts):
        if i % 2 == 0:
            parts[i] = re.escape(name)
        else:
            value = r'"(?:[^"\\]|\\.)*"' if name in TYPED else ".*?"
            parts[i] = f"(?P={name})" if name in names else f"(?P<{name}>{value})"
            names.add(name)
    return re.compile("".join(parts), re.DOTALL)


def read(sentence: str) -> tuple[str, dict[str, str]]:
    """Return the code of a sentence, and its values. If several codes match, the longest sentence counts."""
    found = {code: match for code in SENTENCES if (match := pattern(code).fullmatch(sentence))}
    assert found, f"questions/refusals.yml does not have this sentence: {sentence}"
    code = max(found, key=lambda code: len(VALUE.sub("", SENTENCES[code])))
    return code, found[code].groupdict()


def reason(sentence: str) -> str:
    """Return what tests pin of a sentence, `dtype.meant: float64`: its code and its values.

    The refused text is left out if the sentence has other values, and so are the way to the kernel custom and the list
    of all types, which have tests of their own.
    """
    code, values = read(sentence)
    values.pop("custom", None)
    if code == "type.others":
        return code
    others = {name: value for name, value in values.items() if name not in TYPED}
    if code in ("argument.type", "further.line", "project.stored"):
        last = list(others)[-1]
        others[last] = reason(others[last])
    named = values if not others or code.startswith("rowwise_shapes.") else others
    return ": ".join(filter(None, [code, ", ".join(named.values())]))


def reasons(text: str) -> str:
    """Return the reasons of one line each."""
    return "\n".join(map(reason, text.splitlines()))


FRAME = "======== REFUSED ========\n", "\n======== nothing was written ========"


def unframed(error: Exception | str) -> str:
    """Return Copier's sentence without the two lines around it, which are both present or both missing."""
    text = str(error)
    before, begin, sentence = text.partition(FRAME[0])
    if not begin:
        return text
    assert sentence.endswith(FRAME[1]), text
    return before + sentence.removesuffix(FRAME[1])


def sentence_of(error: Exception | str) -> str:
    """Return the sentence without the name of the question before it."""
    return unframed(error).partition("': ")[2]


def code_of(error: Exception) -> str:
    return read(sentence_of(error))[0]


def refusal(tmp_path, **answers) -> str:
    """Return the sentence with which rendering refuses the answers; nothing may be written."""
    with pytest.raises(ValueError) as error:
        render(tmp_path / "project", answers)
    assert not (tmp_path / "project").exists()
    text = unframed(error.value)
    assert text != str(error.value)
    assert "Traceback" not in text and text.rstrip().endswith("."), text
    return text


def refused_for(tmp_path, **answers) -> str:
    """Return the reasons for which rendering refuses the answers."""
    return reasons(sentence_of(refusal(tmp_path, **answers)))


NAMES, SIGNATURE = module("questions/names.jinja"), module("questions/signature.jinja")
REFUSE = {
    "project": lambda word: NAMES.refuse_project(word).strip(),
    "op": lambda word: NAMES.refuse_op(word, "an_unused_name").strip(),
    "argument": lambda word: refuse_argument(word),
}
# A signature of each kernel with a place for a name.
SIGNATURES = {
    "elementwise": "Tensor {}",
    "matmul": "Tensor q1, Tensor q2, float {}",
    "custom": "Tensor q1: [Q], float {} -> Tensor: [Q]",
} | dict.fromkeys(["rowwise", "image", "volume"], "Tensor q1, float {}")


@cache
def refuse_argument(word: str, kernel: str = "elementwise", op: str = "an_operator") -> str:
    return SIGNATURE.refuse_signature(SIGNATURES[kernel].format(word), op, kernel).strip()
