"""How many operators the signature question takes as their libraries define them: `python tools/definitions.py`

A list has operators that libraries define, each with its declaration and with the same declaration as an author of this
template writes it: only shapes, dtypes, what is written or may be the same tensor, names of results and scratch memory are added. An operator is

    as it is        accepted, and nothing is left but kernel, launch, reference and make_args
    something lost  accepted, but a part of the operator is not in the signature
    refused         no signature with the words of the library is accepted
    cannot be       it has state between calls, or takes objects

`--refused` prints each sentence, `--operators` a row for each operator. `--write` writes docs/measurements/definitions.md.
`--sources FOLDER` looks for each declaration in clones, FOLDER/owner/name.
"""

from __future__ import annotations

import argparse
import re
import runpy
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))
sys.path.insert(0, str(Path(__file__).parent))

import yaml
from macros import ROOT, data, module
from signatures import schema_of

PAGE, MARK = (
    ROOT / "docs/measurements/definitions.md",
    "<!-- python tools/definitions.py --write -->\n",
)
# The file in tools/ has the same name.
OPERATORS = runpy.run_path(str(ROOT / "tests/lib/real_signatures.py"))
SAMPLE, LISTS = OPERATORS["SAMPLE"], OPERATORS["DEFINITIONS"]
# A tensor of a result, and no list of tensors or tensor that may be absent.
TENSOR = r"\bTensor\b(?![\[>])"
CLASSES = ["as it is", "something lost", "refused", "cannot be"]


class Definition(NamedTuple):
    """An operator of a library."""

    library: str
    repository: str
    commit: str
    file: str
    family: str
    # As it is in the file, on one line, without a body.
    declared: str
    # The same as an author writes it, with a kernel before a colon if that is not custom; '' if no words fit.
    written: str = ""
    lost: str = ""
    cannot: str = ""

    @property
    def name(self) -> str:
        return schema_of(self.declared).partition("(")[0].rpartition("::")[2].strip()

    @property
    def kernel(self) -> str:
        kernel, _, _ = self.written.partition(": ")
        return kernel if kernel in ["elementwise", "rowwise", "matmul"] else "custom"

    @property
    def signature(self) -> str:
        """The signature as the question takes it."""
        if self.written:
            return self.written.removeprefix(f"{self.kernel}: ")
        left, _, right = self.bare().rpartition(" -> ")
        return f"{left} -> {re.sub(TENSOR, 'Tensor: float32[1]', right)}"

    def added(self) -> list[str]:
        """Return how the words of the signature differ from the library's."""
        if not self.written:
            return [] if self.cannot or self.refusal() else ["none, and it is accepted"]
        own, theirs = parsed(self.signature), parsed(self.bare())
        words = [
            [(x["type"], x["name"], x["default"]) for x in y["arguments"]] for y in (own, theirs)
        ]
        found = [f"{a} for {b}" for a, b in zip(*words) if a != b]
        if len(words[0]) != len(words[1]):
            found += [f"{len(words[0])} arguments for {len(words[1])}"]
        if theirs["results"] and theirs["results"][0]["type"] == "Tensor[]":
            return found + ([] if own["listed"] else ["no list of results"])
        kinds = [[x["number"] or x["type"] for x in y["results"]] for y in (own, theirs)]
        return found + ([f"{kinds[0]} for {kinds[1]}"] if kinds[0] != kinds[1] else [])

    def bare(self) -> str:
        """Return the library's declaration as a schema without shapes."""
        schema = schema_of(self.declared)
        return schema[schema.index("(") :]

    def refusal(self) -> str:
        """Return the sentence that refuses it, or nothing."""
        return refused(self.signature, self.kernel)

    def judged(self) -> str:
        """Return its class."""
        if self.cannot:
            return "cannot be"
        return "refused" if self.refusal() else "something lost" if self.lost else "as it is"


@cache
def refused(signature: str, kernel: str) -> str:
    refuse = module("questions/signature.jinja")
    return refuse.refuse_signature(signature, "an_operator", kernel).strip()


def parsed(signature: str) -> dict:
    return data("parse", signature, path="questions/schema.jinja")


@cache
def read(path: Path) -> list[Definition]:
    """Return the operators of a list, each of which has the words of its library."""
    content = yaml.safe_load(path.read_text())
    found = []
    for entry in content["operators"]:
        library = content["libraries"][entry["library"]]
        place = {"repository": library["repository"], "commit": library.get("commit")}
        found.append(Definition(**place | entry))
    if wrong := [f"{one.library} {one.name}: {x}" for one in found for x in one.added()]:
        sys.exit("Other words than the library's: " + "; ".join(wrong))
    return found


def share(part: int, whole: int) -> str:
    return f"{part} ({part / max(1, whole):.0%})"


def table(definitions: list[Definition]) -> str:
    """Return a row for each family, and what the families are of a sample of projects."""
    lines = [
        "| family | of the sample | operators | as it is | something lost | refused | cannot be |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    weighted: Counter[str] = Counter()
    judged = {one: one.judged() for one in definitions}
    for family, percent in SAMPLE.items():
        counts = Counter(judged[one] for one in definitions if one.family == family)
        for kind in CLASSES:
            weighted[kind] += percent * counts[kind] / max(1, counts.total())
        row = " | ".join(str(counts[kind]) for kind in CLASSES)
        lines.append(f"| {family} | {percent} % | {counts.total()} | {row} |")
    counts, known = Counter(judged.values()), sum(SAMPLE.values())
    row = " | ".join(share(counts[kind], len(definitions)) for kind in CLASSES)
    lines.append(f"| **together** | {known} % | {len(definitions)} | {row} |")
    row = " | ".join(f"{weighted[kind] / known:.0%}" for kind in CLASSES)
    lines.append(f"| of the sample's families | | | {row} |")
    return "\n".join(lines) + "\n"


def reasons(definitions: list[Definition]) -> str:
    """Return what is lost, by how many operators lose it, and what refuses the others."""
    lines = ["| lost | operators | nothing else |", "|---|--:|--:|"]
    kinds: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for one in definitions:
        if one.judged() == "something lost":
            own = {part.partition(":")[0].strip() for part in one.lost.split(";")}
            kinds.update(own)
            alone.update(own if len(own) == 1 else [])
    lines += [
        f"| {kind} | {count} | {alone[kind]} |"
        for kind, count in sorted(kinds.items(), key=lambda x: (-x[1], x[0]))
    ]
    return "\n".join(lines) + "\n"


def refusals(definitions: list[Definition]) -> str:
    """Return a row for each operator that is refused or cannot be."""
    lines = ["| operator | why |", "|---|---|"]
    for one in definitions:
        if why := one.cannot or one.refusal().partition("\n")[0]:
            lines.append(f"| {one.library} `{one.name}` | {why.replace('|', '&#124;')} |")
    return "\n".join(lines) + "\n"


def summary() -> str:
    """Return a row for each list."""
    lines = ["| | operators | libraries | as it is | accepted |", "|---|--:|--:|--:|--:|"]
    for title, path in LISTS.items():
        judged = Counter(one.judged() for one in read(path))
        alone, whole = judged["as it is"], judged.total()
        accepted = share(alone + judged["something lost"], whole)
        libraries = len({one.library for one in read(path)})
        lines.append(f"| {title} | {whole} | {libraries} | {share(alone, whole)} | {accepted} |")
    return "\n".join(lines) + "\n"


def tables() -> str:
    """Return the tables of the page."""
    text = "\n## All lists\n\n" + summary()
    for title, path in LISTS.items():
        definitions = read(path)
        libraries = len({one.library for one in definitions})
        text += f"\n## {title}\n\n{len(definitions)} operators of {libraries} libraries.\n\n"
        text += "\n".join([table(definitions), reasons(definitions), refusals(definitions)])
    return text


def operators(definitions: list[Definition]) -> str:
    """Return a row for each operator."""
    lines = ["| operator | place | is | lost, or why not |", "|---|---|---|---|"]
    for one in definitions:
        kind = one.judged()
        why = {"refused": one.refusal().splitlines()[:1], "cannot be": [one.cannot]}
        words = "".join(why.get(kind, [one.lost])).replace("|", "\\|")
        place = f"{one.repository}@{one.commit[:8]}:{one.file}"
        lines.append(f"| {one.library} `{one.name}` | {place} | {kind} | {words} |")
    return "\n".join(lines) + "\n"


def missing(definitions: list[Definition], folder: Path) -> list[str]:
    """Return the declarations that are not in their files, of the libraries that are in the folder."""
    found = []
    for one in definitions:
        clone = folder / one.repository
        if clone.exists():
            command = ["git", "-C", str(clone), "show", f"{one.commit}:{one.file}"]
            text = subprocess.run(command, capture_output=True, check=False).stdout.decode()
            text = re.sub(r"(?<![:\"])//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
            text = "".join(re.sub(r'"\s*"', "", text).split())
            declared = "".join(one.declared.split())
            # torch.library.define("ns::name", "(Tensor x) -> Tensor")
            split = f'{one.name}","{declared.removeprefix(one.name)}'
            found += [] if declared in text or split in text else [f"{one.library} {one.name}"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "lists", type=Path, nargs="*", default=[*LISTS.values()][:1], metavar="LIST"
    )
    parser.add_argument(
        "--refused", action="store_true", help="the sentence of each that is refused"
    )
    parser.add_argument("--operators", action="store_true", help="a row for each operator")
    parser.add_argument("--sources", type=Path, metavar="FOLDER", help="look for the declarations")
    parser.add_argument("--write", action="store_true", help="write the tables into the page")
    options = parser.parse_args()
    if options.write:
        PAGE.write_text(PAGE.read_text().partition(MARK)[0] + MARK + tables())
        return
    definitions = [one for path in options.lists for one in read(path)]
    if options.sources:
        print("\n".join(missing(definitions, options.sources)) or "all found")
    elif options.refused:
        for one in definitions:
            if one.judged() == "refused":
                print(f"{one.library} {one.name}: {one.refusal()}")
    elif options.operators:
        print(operators(definitions), end="")
    else:
        libraries = len({one.library for one in definitions})
        print(f"{len(definitions)} operators of {libraries} libraries\n")
        print(table(definitions))
        print(reasons(definitions), end="")


if __name__ == "__main__":
    main()
