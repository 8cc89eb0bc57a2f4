"""Prints the operators of a library as `more_ops` takes them: `python tools/signatures.py SOURCE ...`

A SOURCE is a folder, a git repository, a source archive or a wheel, as of real_signatures.py. Three forms are read:
schemas of TORCH_LIBRARY, functions that `m.def` gives to Python with pybind11, and, with `--declared`, all C++
functions that take a tensor. Each operator is a line; comments above it say what the library does not say:

    # from library.cpp
    # fill in: the shape of a result, [?]
    custom: gather(Tensor x, Tensor index) -> Tensor: [?]

`[?]` is a shape to fill in, which the questions refuse. An argument takes a shape and a dtype too, which the project
then checks: `Tensor index: int64[M]`. Answer `more_ops` with the lines that are no comments.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import NamedTuple

# The one beside this file, which finds tests/lib.
from real_signatures import definitions_in, texts  # isort: skip
from macros import module


class Found(NamedTuple):
    """An operator of a library: how it is written there, and its signature."""

    form: str
    name: str
    signature: str
    notes: tuple[str, ...] = ()


DEFAULTS = {"true": "True", "false": "False", "nullopt": "None", "None": "None"}
TENSOR = r"(?:torch::|at::|c10::)?Tensor"
# A C++ function with its result and its parameters, up to the body or the semicolon.
FUNCTION = re.compile(
    r"(?:^|[;}\n])[ \t]*(?:inline |static |[A-Z_]+_API |extern \"C\" )*"
    r"((?:std::|torch::|at::|c10::)?(?:tuple|pair|vector)\s*<[^;{}()]*>|(?:torch::|at::)?Tensor|void|u?int\w*|double|float|bool)\s+"
    r"(\w+)\s*\(((?:[^();{}]|\([^()]*\)|\{[^{}]*\})*)\)\s*(?=[{;])"
)
# Of pybind11 and TORCH_LIBRARY, or of torch::RegisterOperators.
BOUND = re.compile(r'\b(?:def|op)\(\s*"(?:\w+::)?(\w+)"\s*,\s*&?\s*(?:\w+::)*(\w+)')


def split(parameters: str) -> list[str]:
    """Return what stands between commas that are in no brackets."""
    parts, depth = [""], 0
    for character in parameters:
        depth += (character in "<([{") - (character in ">)]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in parts if part.strip()]


# std::tuple<int, int> is a list of two, and std::array<int64_t, 2> too.
TUPLE = re.compile(r"(?:std::)?(?:tuple|pair) ?< ?(\w+)((?: ?, ?\1)*) ?>")
ARRAY = re.compile(r"(?:std::)?array ?< ?(\w+) ?, ?(\d+) ?>")


def listed(kind: str) -> str:
    """Return a type of C++ whose tuples of numbers are lists."""
    meant = module("questions/signature.jinja").meant
    kind = TUPLE.sub(lambda x: f"{meant(x[1]).strip()}[{x[2].count(',') + 1}]", kind)
    return ARRAY.sub(lambda x: f"{meant(x[1]).strip()}[{x[2]}]", kind)


def letters():
    return iter("abcdefghijklmnopqrstuvwxyz")


def argument(text: str, sets) -> str:
    """Return a parameter of C++ as a schema has it."""
    declared, _, default = (part.strip() for part in text.partition("="))
    declared = re.sub(r"\b(?:__restrict__|struct) ?", "", declared)
    declared = re.sub(r"\bunsigned (?:int|long)\b", "uint64_t", declared)
    declared = re.sub(r"^([\w:]+) const\b", r"const \1", declared)
    kind, name = re.fullmatch(r"(.*?[\s&*>])(\w+)", declared).groups()
    written = not kind.startswith("const ") and re.fullmatch(rf"{TENSOR} ?[&*] ?", kind)
    bare = re.sub(r"^const |[&\s]+$", "", kind).strip()
    bare = re.sub(r"\b(?:at|c10|torch)::(?=(?:Tensor|Generator|ScalarType|Device)\b)", "", bare)
    schema = module("questions/signature.jinja").meant(listed(bare)).strip()
    if written:
        schema = f"Tensor({next(sets)}!)"
    default = re.sub(r"^(?:c10|std|at|torch)::|(?<=\d)[fFlL]+$", "", default)
    default = DEFAULTS.get(default, default.replace("{", "[").replace("}", "]"))
    return f"{schema} {name}" + (f"={default}" if default else "")


def results(kind: str) -> tuple[str, list[str]]:
    """Return what a function of C++ returns, with shapes to fill in, and what is not known of it."""
    count = len(re.findall(rf"\b{TENSOR}\b", kind))
    if kind == "void":
        return "()", []
    if "vector" in kind:
        note = "fill in: a tensor for each that is returned, [Tensor: [?], Tensor: [?]]"
        return "[Tensor: [?]]", [note]
    if count < kind.count(",") + 1:
        inner = re.fullmatch(r"(?:std::)?(?:tuple|pair) ?<(.*)>", kind)
        meant = module("questions/signature.jinja").meant
        each = [meant(x).strip() for x in (split(inner[1]) if inner else [kind])]
        if {*each} <= {"Tensor", "int", "bool"}:
            made = ", ".join("Tensor: [?]" if x == "Tensor" else x for x in each)
            note = f"it returns {kind}, for which a call waits: leave it out if it is only a status"
            return (f"({made})" if inner else made), [note]
        return "Tensor: [?]", [f"it returns {kind}: write -> Tensor: float32[] for a number"]
    return ("Tensor: [?]" if count == 1 else f"({', '.join(['Tensor: [?]'] * count)})"), []


def from_function(form: str, name: str, kind: str, parameters: str) -> Found:
    """Return the operator that a function of C++ is."""
    sets = letters()
    arguments = []
    for part in split(parameters):
        try:
            arguments.append(argument(part, sets))
        except AttributeError:  # a parameter without a name
            arguments.append(part)
    returned, notes = results(" ".join(kind.split()))
    if returned == "()" and not any("!" in x for x in arguments):
        notes.append('mark what it writes to, as in "Tensor(a!) out"')
    return Found(form, name, f"({', '.join(arguments)}) -> {returned}", tuple(notes))


def from_schema(schema: str) -> Found:
    """Return the operator of a schema, whose results get shapes to fill in."""
    name, _, signature = schema.partition("(")
    name = name.strip().rpartition("::")[2].replace(".", "_")
    left, _, right = f"({signature}".rpartition("->")
    if re.fullmatch(r"\s*\(?\s*Tensor\[\]\s*\)?\s*", right):
        returned, notes = results("vector")
        return Found("TORCH_LIBRARY", name, f"{left.strip()} -> {returned}", tuple(notes))
    new = r"\bTensor(\??)(?!\()(?: (?!if\b)(\w+))?(?=\s*(?:[,)]|$))"
    shaped = lambda x: f"Tensor{x[1]}{' ' + x[2] if x[2] else ''}: [?]" + " if ?" * bool(x[1])
    right, notes = re.sub(new, shaped, right.strip()), []
    if "if ?" in right:
        notes.append('fill in: the "bool" or "Tensor?" by which a result is there, if ?')
    if right == "()" and "!" not in left:
        notes.append('mark what it writes to, as in "Tensor(a!) out"')
    return Found("TORCH_LIBRARY", name, f"{left.strip()} -> {right}", tuple(notes))


def schema_of(declared: str) -> str:
    """Return the schema of a declaration in one line, without shapes; one in C++ marks nothing as written."""
    if "->" in declared:
        return declared
    declared = re.sub(r"^template ?<[^<>]*> ?", "", declared)
    kind, name, parameters = FUNCTION.search(f"\n{declared};").groups()
    left = from_function("C++", name, kind, parameters).signature.rpartition(" -> ")[0]
    meant = module("questions/signature.jinja").meant
    inner = re.fullmatch(r"(?:std::)?(?:tuple|pair) ?<(.*)>", kind.strip())
    kinds = [meant(x).strip() for x in (split(inner[1]) if inner else [kind])]
    right = ", ".join(kinds)
    return f"{name}{left} -> {'()' if right == 'void' else f'({right})' if inner else right}"


def operators_of(source: Path, declared: bool = False) -> list[Found]:
    """Return the operators of a library, each name once: schemas come before functions."""
    found: dict[str, Found] = {}
    functions: dict[str, tuple[str, str]] = {}
    bound: dict[str, str] = {}
    for text in texts(source):
        text = re.sub(r"(?<![:\"])//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
        for schema in definitions_in(text):
            one = from_schema(schema)
            found.setdefault(one.name, one)
        for kind, name, parameters in FUNCTION.findall(text):
            # A declaration has the defaults.
            better = name not in functions or "=" in parameters
            if re.search(rf"\b{TENSOR}", parameters) and better:
                functions[name] = kind, parameters
        bound |= dict(BOUND.findall(text))
    for name, function in bound.items():
        if function in functions:
            found.setdefault(name, from_function("pybind11", name, *functions[function]))
    for name, function in functions.items() if declared else ():
        if name not in bound.values():
            found.setdefault(name, from_function("C++", name, *function))
    return [renamed(one) for one in found.values()]


def renamed(one: Found) -> Found:
    """Return an operator by a name that more_ops takes: no underscores around it."""
    name = one.name.strip("_")
    note = (f"{one.name} in the library",) if name != one.name else ()
    return one._replace(name=name, notes=note + one.notes)


def refusal(one: Found) -> str:
    """Return why an operator is refused once its shapes are filled in, or nothing."""
    filled = one.signature.replace("[?]", "float32[1]").replace(" if ?", "")
    refuse = module("questions/signature.jinja").refuse_signature
    sentence = refuse(filled, one.name, "custom").strip()
    return "" if " if ?" in one.signature and "does not state when" in sentence else sentence


def lines_of(one: Found) -> list[str]:
    """Return an operator as it is printed."""
    notes = ["fill in: the shape of a result, [?]"] if "[?]" in one.signature else []
    refused = [f"refused: {line}" for line in refusal(one).splitlines()]
    comments = [f"from {one.form}", *notes, *one.notes, *refused]
    return [*(f"# {comment}" for comment in comments), f"custom: {one.name}{one.signature}"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE")
    parser.add_argument("--declared", action="store_true", help="C++ functions that nothing binds")
    options = parser.parse_args()
    for source in options.sources:
        found = operators_of(source, options.declared)
        refused = sum(bool(refusal(one)) for one in found)
        for one in found:
            print("\n".join(lines_of(one)))
        print(f"# {source.name}: {len(found)} operators, {refused} of them refused")


if __name__ == "__main__":
    main()
