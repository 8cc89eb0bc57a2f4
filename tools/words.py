"""Finds words to avoid: `python tools/words.py [FILE ...]` prints each with its place and a better word.

Without files it reads the pages, both examples, and what else is rendered. In code it reads comments and strings.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]

# A pattern of words to avoid, and what to write.
WORDS = {
    r"mend(s|ed|ing)?": "fix",
    r"whoever|whereof": "a noun",
    r"of which": "a sentence of its own, with the noun",
    r"(that|those) of(?! (this|these))": "the noun again",
    r"those (that|which|who)|that which|what (it|they) (has|have)": "the noun",
    r"such (are|is)|so many": "the noun or the number",
    r"lies|lie": "is, is in",
    r"stands?(?! for\b|-in)": "is, is in",
    r"says?|said": "has, prints, names, states",
    r"goes on|go on": "continue",
    r"(?<!there )(is|are) no(?! longer)": "is not a, has no",
    r"alone": "only",
    r"as (they|it) (are|is)": "unchanged",
    r"what is left": "the rest",
    r"to be had": "exists",
    r"once more": "again",
    r"(a|the|one|own) door": "the thing itself",
}
FINDER = {re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE): word for pattern, word in WORDS.items()}

FILES = [
    "*.md",
    "docs/*.md",
    "docs/decisions",
    ".github",
    "examples",
    "questions/refusals.yml",
    "template",
    "variants",
]
# Texts of others, pictures, and sources that are mostly Jinja.
LEFT_OUT = re.compile(
    r"LICENSE|\.(svg|png|ipynb)$|variants/.*\.jinja$|CHANGELOG\.md|docs/(measurements|reports)/"
)


def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def prose(name: str, text: str) -> str:
    """Return the text of a file with all but its sentences blank, so that lines keep their numbers."""
    suffix = Path(name.removesuffix(".jinja")).suffix
    if suffix == ".py" and "{%" not in text:
        text = python_prose(text)
    elif suffix in (".h", ".cuh", ".cpp", ".cu"):
        # Comments and strings; a line without them is code.
        found = re.compile(r'[^\n"]*?(//[^\n]*|"[^"\n]*")|[^\n]+')
        text = found.sub(lambda x: x[1] or "", text)
    elif suffix == ".md":
        text = re.sub(r"^```.*?^```", blank, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\{[{#%].*?[}#%]\}", blank, text, flags=re.DOTALL)
    return re.sub(r"(`+)[^`]+?\1|\{[^{}\n]*\}", blank, text, flags=re.DOTALL)


def python_prose(text: str) -> str:
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in kinds:
            for i, line in enumerate(token.string.split("\n")):
                lines[token.start[0] - 1 + i] += f" {line}"
    return "\n".join(lines)


def find(name: str, text: str) -> list[tuple[int, str, str]]:
    """Return line, found words and advice."""
    text = prose(name, text)
    found = []
    for pattern, word in FINDER.items():
        for match in pattern.finditer(text):
            found.append((text.count("\n", 0, match.start()) + 1, match[0], word))
    return sorted(found)


def main(names: list[str]) -> int:
    if not names:
        command = ["git", "ls-files", "-z", "-co", "--exclude-standard", *FILES]
        listed = subprocess.run(command, cwd=TEMPLATE, check=True, capture_output=True, text=True)
        names = [name for name in listed.stdout.split("\0") if name and not LEFT_OUT.search(name)]
    count = 0
    for name in names:
        path = TEMPLATE / name
        if path.is_file():
            for line, words, better in find(name, path.read_text()):
                print(f'{name}:{line}: "{words}": write {better}')
                count += 1
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
