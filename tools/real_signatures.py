"""How many operators of real libraries the signature question takes: `python tools/real_signatures.py SOURCE ...`

A SOURCE is what a library's operators are defined in: a folder, a git repository (bare or not), a source archive
(.tar.gz), or a wheel, whose schemas are found in its libraries. For each one the share of definitions that are
accepted is printed, and what is refused and why; definitions without any tensor, which no kernel computes, and
those that mark nothing of what they write, are counted apart. Schemas say no shapes: for `--kernel custom` a result
gets one, and one that may be absent is there if the first argument that can say so does; of a list, whose schema says not
how many it has, two. With `--render FOLDER`, ten that are accepted, drawn at random, become one project.

Nothing of these libraries is in this repository. Needs what the session `render` has.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

from macros import module
from render import render

SOURCES = re.compile(r"\.(cpp|cc|cu|cuh|h|hpp|cxx|mm|py)$")
# Not a library's own operators.
OTHERS = re.compile(r"third_party|(^|/)tests?/|_test\.")
LITERALS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
DEFINITIONS = [
    re.compile(rf"\bdef\(\s*(?:TORCH_SELECTIVE_SCHEMA\(\s*)?{LITERALS}"),  # C++
    re.compile(rf"\b\w*(?:lib|LIB)\w*\.define\(\s*{LITERALS}"),  # Python
]


def texts(source: Path) -> Iterator[str]:
    """Yield the text of each source file of a library; of a wheel, its schemas."""
    if source.suffix == ".whl":
        with zipfile.ZipFile(source) as wheel:
            for name in wheel.namelist():
                if name.endswith(".so"):
                    strings = re.findall(rb"[\x20-\x7e\n]{12,}", wheel.read(name))
                    schemas = [
                        s
                        for s in map(bytes.decode, strings)
                        if re.match(r"\s*\w+\s*\(.*\)\s*->", s, re.DOTALL)
                    ]
                    yield "\n".join(
                        f"def({json.dumps(schema)}" for schema in schemas if "::" not in schema
                    )
    elif source.suffix == ".gz":
        with tarfile.open(source) as archive:
            for member in archive:
                if SOURCES.search(member.name) and not OTHERS.search(member.name):
                    yield archive.extractfile(member).read().decode(errors="replace")
    elif (source / "HEAD").exists() or (source / ".git").exists():
        git = ["git", "-C", str(source)]
        names = subprocess.check_output([*git, "ls-tree", "-r", "--name-only", "HEAD"], text=True)
        for name in names.splitlines():
            if SOURCES.search(name) and not OTHERS.search(name):
                shown = subprocess.run(
                    [*git, "show", f"HEAD:{name}"], capture_output=True, check=False
                )
                yield shown.stdout.decode(errors="replace")
    else:
        for path in sorted(source.rglob("*")):
            if SOURCES.search(path.name) and not OTHERS.search(str(path.relative_to(source))):
                yield path.read_text(errors="replace")


def definitions(source: Path) -> list[str]:
    """Return the schemas that a library defines, each once."""
    found: dict[str, None] = {}
    for text in texts(source):
        text = re.sub(r"(?<![:\"])//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
        found |= dict.fromkeys(definitions_in(text))
    return list(found)


def definitions_in(text: str) -> list[str]:
    """Return the schemas in a text without comments."""
    found = []
    for pattern in DEFINITIONS:
        for literals in pattern.findall(text):
            parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literals)
            schema = " ".join(
                "".join(json.loads(f'"{part}"', strict=False) for part in parts).split()
            )
            if re.search(r"\(.*\)\s*->", schema):
                found.append(schema)
    return found


def with_shapes(signature: str) -> str:
    """Return a signature whose results say shapes."""
    left, _, right = signature.rpartition("->")
    by = re.search(r"\b(?:bool|Tensor\?) (\w+)", left)

    if re.fullmatch(r"\(?Tensor\[\]\)?", right.strip()):
        return f"{left}-> [Tensor: float32[1], Tensor: float32[1]]"

    def shaped(found: re.Match) -> str:
        if not found[1]:
            return f"{found[0]}: float32[1]"
        return f"{found[0]}: float32[1] if {by[1]}" if by else found[0]

    return f"{left}->{re.sub(r'Tensor([?]?)(?: [A-Za-z_0-9]+)?(?=[,)]|$)', shaped, right.strip())}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE")
    parser.add_argument("--render", type=Path, metavar="FOLDER", help="a project of ten of them")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--answers", nargs="*", default=[], metavar="QUESTION=ANSWER")
    parser.add_argument("--kernel", choices=["elementwise", "custom"], default="custom")
    options = parser.parse_args()
    refuse = module("questions/signature.jinja").refuse_signature
    accepted = []
    for source in options.sources:
        schemas = definitions(source)
        with_tensor = [schema for schema in schemas if "Tensor" in schema]
        unmarked = [x for x in with_tensor if re.search(r"-> ?\(\)$", x) and "!" not in x]
        with_tensor = [schema for schema in with_tensor if schema not in unmarked]
        reasons: Counter[str] = Counter()
        for schema in with_tensor:
            signature = schema[schema.index("(") :]
            if options.kernel == "custom":
                signature = with_shapes(signature)
            sentence = refuse(signature, "an_operator", options.kernel).strip()
            if sentence:
                reasons[sentence] += 1
            else:
                accepted.append(signature)
        taken = len(with_tensor) - reasons.total()
        print(
            f"{source.name}: {taken} of {len(with_tensor)}, {taken / max(1, len(with_tensor)):.1%}",
            end="",
        )
        others = len(schemas) - len(with_tensor) - len(unmarked)
        print(f"; {len(unmarked)} more mark nothing as written, {others} have no tensor")
        for sentence, count in reasons.most_common():
            print(f"  {count:3} {sentence}")
    if options.render:
        drawn = random.Random(options.seed).sample(accepted, 10)
        answers = dict(answer.split("=", 1) for answer in options.answers)
        kernel = "custom: " if options.kernel == "custom" else ""
        lines = [f"{kernel}op{number}{signature}" for number, signature in enumerate(drawn)]
        answers["more_ops"] = "\n".join(lines)
        print(f"--seed {options.seed}", *lines, render(options.render, answers), sep="\n")


if __name__ == "__main__":
    main()
