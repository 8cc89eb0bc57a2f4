"""The sentences that refuse answers, questions/refusals.yml, and their codes."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from refusals import SENTENCES, VALUE
from render import TEMPLATE

SOURCES = [*(TEMPLATE / "questions").glob("*.jinja"), *TEMPLATE.glob("variants/**/refuse.jinja")]
TEXT = "\n".join(path.read_text() for path in SOURCES)
CODE = re.compile(r"'([a-z0-9]+\.[a-z0-9_]+)'")
# Sentences that another sentence continues, or that counts more of them.
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
    r"\b(?:add|answer|as in|begin|call|choose|did you mean|fit|give|leave|let|make|most|move|need|needs|one|press|restore|"
    r"rename|returns?|run|start|takes|try|use|write)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("code", sorted(SENTENCES.keys() - OPEN))
def test_sentences_name_a_fix(code):
    assert FIX.search(SENTENCES[code])
