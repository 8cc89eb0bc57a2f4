"""The words that pages and rendered files avoid; `./dev lint` reads all of them."""

from __future__ import annotations

import pytest
from words import find


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.md", "It says so.\n", [(1, "says")]),
        ("a.md", "Fine.\n\n```\nit says\n```\nA `word that says` it lies there.\n", [(6, "lies")]),
        (
            "a.py",
            'alone = 1  # it is alone\nsays = f"{alone} stands"\n',
            [(1, "alone"), (2, "stands")],
        ),
        ("a.cu", "int alone = says();\n// It is\n// once more\n", [(3, "once more")]),
        ("a.md", "There is no GPU, so it stands for one.\n", []),
        (
            "a.md",
            "A tensor is no number. Those of others, such as those of these kinds.\n",
            [(1, "Those of"), (1, "is no")],
        ),
    ],
)
def test_it_finds_words_in_sentences_only(name, text, found):
    assert sorted((line, words) for line, words, _ in find(name, text)) == found
