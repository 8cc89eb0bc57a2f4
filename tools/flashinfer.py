"""Makes operators of FlashInfer-Bench definitions: `python tools/flashinfer.py DEFINITION.json ...`

A definition is a JSON file with axes, inputs, outputs and a reference. Each one is printed as a line for `more_ops`, with
comments above it: the sizes of its constant axes, which are the usual ones for a benchmark, and what the signature does not say.

    # from gemm_n4096_k4096.json
    # usual sizes: N=4096, K=4096
    custom: gemm_n4096_k4096(Tensor A: float16[M, K], Tensor B: float16[N, K]) -> Tensor C: float16[M, N]

A definition that the signature question refuses is printed as a comment with the sentence. `--into PROJECT` writes the references
of a rendered project that has these operators: the body of <op>_reference in ops/<op>.py calls `run` of the definition.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

from macros import macro, module


class Operator(NamedTuple):
    """An operator of a definition."""

    name: str
    signature: str
    sizes: dict[str, int]
    notes: list[str]
    refusal: str
    reference: str
    # The names of inputs, of outputs, and of outputs that are inputs.
    inputs: list[str]
    outputs: list[str]
    written: list[str]


NUMBERS = {"bool": "bool", "string": "str", "dtype": "ScalarType"}
# A size that a constraint computes of other axes, as in "len_indptr == batch_size + 1".
COMPUTED = re.compile(r"\s*(\w+)\s*==\s*([\w\s+*/()-]+)")


def number(dtype: str) -> str:
    """Return the type of an argument that has no shape."""
    return NUMBERS.get(dtype, "int" if "int" in dtype else "float")


def computed(definition: dict) -> dict[str, str]:
    """Return the expressions of axes that constraints compute of other axes."""
    axes = definition["axes"]
    found = {}
    for constraint in definition.get("constraints") or []:
        if match := COMPUTED.fullmatch(constraint):
            name, text = match[1], match[2].strip()
            names = set(re.findall(r"[A-Za-z_]\w*", text))
            if name in axes and names and names <= set(axes) - {name}:
                found[name] = f"({text})" if " " in text else text
    return found


def operator_of(definition: dict) -> Operator:
    """Return the operator of a definition."""
    axes, inputs, outputs = (definition[key] for key in ("axes", "inputs", "outputs"))
    sizes = {name: axis["value"] for name, axis in axes.items() if axis.get("value") is not None}
    expressions, notes = computed(definition), []
    given = {name for tensor in inputs.values() for name in tensor["shape"] or []}
    given |= {name for name, tensor in inputs.items() if tensor["shape"] is None}

    def shape(tensor: dict, result: bool = False) -> str:
        names = [expressions.get(name, name) for name in tensor["shape"]]
        names = [x[1:-1] if x.startswith("(") else x for x in names]
        if result:  # A constant that no argument has is a number.
            names = [str(sizes[x]) if x in sizes and x not in given else x for x in names]
        dtype = "" if tensor["dtype"] == "unknown" else tensor["dtype"]
        return f"{dtype}[{', '.join(names)}]"

    letters = iter("abcdefghijklmnopqrstuvwxyz")
    arguments, results = [], []
    for name, tensor in inputs.items():
        mark = f"({next(letters)}!)" if name in outputs else ""
        absent = "?" if tensor.get("optional") else ""
        if tensor["shape"] is None:
            arguments.append(f"{number(tensor['dtype'])}{absent} {name}")
        else:
            arguments.append(f"Tensor{mark}{absent} {name}: {shape(tensor)}")
    for name, tensor in outputs.items():
        if tensor.get("optional"):
            notes.append(
                f"{name} may be absent, and the definition does not name the argument that decides it"
            )
        if name not in inputs:
            spec = tensor | {"shape": tensor["shape"] or []}
            results.append(f"Tensor {name}: {shape(spec, True)}")
    returned = results[0] if len(results) == 1 else f"({', '.join(results)})"
    signature = f"({', '.join(arguments)}) -> {returned if results else '()'}"
    name = re.sub(r"\W+", "_", definition["name"]).strip("_").lower()
    if len(name) > 64:
        notes.append(f"the definition's name is {name}")
        name = name[:64].rstrip("_")
    for constraint in definition.get("constraints") or []:
        match = COMPUTED.fullmatch(constraint)
        if not match or match[1] not in expressions:
            notes.append(f"not in the signature: {constraint}")
    refuse = module("questions/signature.jinja").refuse_signature
    refusal = macro("refuse_op", name, "my_ops", path="questions/names.jinja")
    refusal = refusal or refuse(signature, name, "custom").strip()
    unknown = [
        x for x, tensor in inputs.items() if tensor["dtype"] == "unknown" and tensor["shape"]
    ]
    if unknown and "Which dtype" in refusal:
        refusal = (
            f'The definition has no dtype of {", ".join(unknown)}: write it, as in "int32[N]".'
        )
    return Operator(
        name=name,
        signature=signature,
        sizes={x: value for x, value in sizes.items() if x in given},
        notes=notes,
        refusal=refusal,
        reference=definition.get("reference") or "",
        inputs=list(inputs),
        outputs=list(outputs),
        written=[x for x in inputs if x in outputs],
    )


def lines_of(one: Operator) -> list[str]:
    """Return an operator as it is printed."""
    sizes = ", ".join(f"{name}={value}" for name, value in one.sizes.items())
    comments = [f"usual sizes: {sizes}"] if sizes else []
    comments += one.notes + ([] if one.reference else ["the definition has no reference"])
    line = f"custom: {one.name}{one.signature}"
    if one.refusal:
        return [*(f"# {x}" for x in comments + one.refusal.splitlines()), f"# refused: {line}"]
    return [*(f"# {x}" for x in comments), line]


def entry(reference: str) -> str:
    """Return the function that a reference begins with: `run`, or the last one of a name with _reference."""
    functions = [x.name for x in ast.parse(reference).body if isinstance(x, ast.FunctionDef)]
    named = [name for name in functions if name.endswith("_reference")]
    return "run" if "run" in functions else (named or functions)[-1]


def with_reference(source: str, one: Operator) -> str:
    """Return the text of ops/<op>.py whose reference calls the definition's."""
    function = next(
        x
        for x in ast.parse(source).body
        if isinstance(x, ast.FunctionDef) and x.name == f"{one.name}_reference"
    )
    docstring, *_, last = function.body
    called = entry(one.reference)
    values = [f"{x}.clone()" if x in one.written else x for x in one.inputs]
    call = f"{called}({', '.join(values)})"
    order = one.written + [x for x in one.outputs if x not in one.written]
    body = [f"    return {call}"]
    if len(order) > 1:
        body = [f"    {', '.join(one.outputs)} = {call}", f"    return {', '.join(order)}"]
    lines = source.splitlines()
    # Imports of the definition are above its function, below the comment that names the reference.
    comment = "# The reference of the definition.\n"
    imports = re.sub(r"(?m)^from __future__ .*\n", "", one.reference).strip()
    start = function.lineno - 1
    while lines[start - 1].startswith(("#", "@")):
        start -= 1
    return "\n".join(
        [*lines[:start], f"{comment}{imports}", "", "", *lines[start : docstring.end_lineno]]
        + body
        + lines[last.end_lineno :]
        + [""]
    )


def write_references(operators: list[Operator], project: Path) -> list[Path]:
    """Write the references of operators that a project has, and return their files."""
    written = []
    for one in operators:
        for path in project.glob(f"*/ops/{one.name}.py"):
            if one.reference:
                path.write_text(with_reference(path.read_text(), one))
                written.append(path)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("definitions", type=Path, nargs="+", metavar="DEFINITION.json")
    parser.add_argument("--into", type=Path, metavar="PROJECT", help="write references")
    options = parser.parse_args()
    operators = [operator_of(json.loads(path.read_text())) for path in options.definitions]
    if options.into:
        for path in write_references(operators, options.into):
            print(path)
        return
    for path, one in zip(options.definitions, operators):
        print("\n".join([f"# from {path.name}", *lines_of(one)]))
    accepted = sum(not one.refusal for one in operators)
    print(f"# {len(operators)} definitions, {accepted} of them accepted")


if __name__ == "__main__":
    main()
