"""The questions and their refusals: by rendering, or by only calling their macros."""

from __future__ import annotations

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


FRAME = "======== REFUSED ========\n", "\n======== nothing was written ========"


def unframed(error: Exception) -> str:
    """Return Copier's sentence without the two lines around it, which are both present or both missing."""
    text = str(error)
    before, begin, sentence = text.partition(FRAME[0])
    if not begin:
        return text
    assert sentence.endswith(FRAME[1]), text
    return before + sentence.removesuffix(FRAME[1])


def refusal(tmp_path, **answers) -> str:
    """Return the sentence with which rendering refuses the answers; nothing may be written."""
    with pytest.raises(ValueError) as error:
        render(tmp_path / "project", answers)
    assert not (tmp_path / "project").exists()
    text = unframed(error.value)
    assert text != str(error.value)
    assert "Traceback" not in text and text.rstrip().endswith("."), text
    return text


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
