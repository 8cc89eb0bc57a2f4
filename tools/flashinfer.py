"""Makes operators of FlashInfer-Bench definitions: `python tools/flashinfer.py DEFINITION.json ...`

A definition is a JSON file with axes, inputs, outputs and a reference. Each one is printed as a line for `more_ops`, with
comments above it: the sizes of its constant axes, which are the usual ones for a benchmark, and what only one of definition and
signature has.

    # from gemm_n4096_k4096.json
    # usual sizes: N=4096, K=4096
    custom: gemm_n4096_k4096(Tensor A: float16[M, K], Tensor B: float16[N, K]) -> Tensor C: float16[M, N]

A tensor that was absent when FlashInfer made a definition has no dtype there: `--dtype mask=bool` is the dtype of each such
tensor with the name `mask`. A definition that the signature question refuses is printed as a comment with the sentence.
`--into PROJECT` writes the references of a rendered project that has these operators: the body of <op>_reference in ops/<op>.py
calls `run` of the definition.
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
    # How the reference gets each input; the names of outputs, and of outputs that are inputs.
    inputs: dict[str, str]
    outputs: list[str]
    written: list[str]


NUMBERS = {"bool": "bool", "string": "str", "dtype": "ScalarType"}
# Dtypes that few operators of PyTorch take, and those with the same bits.
UNSIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
# A size that a constraint computes of other axes, as in "len_indptr == batch_size + 1".
COMPUTED = re.compile(r"\s*(\w+)\s*==\s*([\w\s+*/()-]+)")


def number(dtype: str) -> str:
    """Return the type of an argument that has no shape."""
    return NUMBERS.get(dtype, "int" if "int" in dtype else "float")


def names_in(text: str) -> list[str]:
    """Return the names in an expression or a shape."""
    return re.findall(r"[A-Za-z_]\w*", text)


def computed(definition: dict) -> dict[str, str]:
    """Return the expressions of axes that constraints compute of other axes."""
    axes = definition["axes"]
    found = {}
    for constraint in definition.get("constraints") or []:
        if match := COMPUTED.fullmatch(constraint):
            name, text = match[1], match[2].strip()
            names = set(names_in(text))
            if name in axes and names and names <= set(axes) - {name}:
                found[name] = f"({text})" if " " in text else text
    nested = {name: text for name, text in found.items() if not set(names_in(text)) & set(found)}
    return {
        name: re.sub(r"[A-Za-z_]\w*", lambda one: nested.get(one[0], one[0]), text)
        for name, text in found.items()
    }


def without_dtype(definition: dict) -> list[str]:
    """Return the names of tensors whose dtype a definition does not have."""
    return [
        name
        for name, tensor in definition["inputs"].items()
        if tensor["shape"] is not None
        and tensor["dtype"] == "unknown"
        # A written tensor has the dtype of the output with its name.
        and definition["outputs"].get(name, tensor)["dtype"] == "unknown"
    ]


def operator_of(definition: dict, dtypes: dict[str, str] | None = None) -> Operator:
    """Return the operator of a definition; `dtypes` has, by name, dtypes that the definition does not have."""
    dtypes = dtypes or {}
    unknown = without_dtype(definition)
    axes, inputs, outputs = (definition[key] for key in ("axes", "inputs", "outputs"))
    sizes = {name: axis["value"] for name, axis in axes.items() if axis.get("value") is not None}
    expressions, notes = computed(definition), []
    given = {name for tensor in inputs.values() for name in tensor["shape"] or []}
    given |= {name for name, tensor in inputs.items() if tensor["shape"] is None}

    def shape(tensor: dict, result: bool = False) -> str:
        """Return the sizes of a tensor."""
        names = [expressions.get(name, name) for name in tensor["shape"]]
        names = [x[1:-1] if x.startswith("(") else x for x in names]
        if result:  # A constant that no argument has is a number.
            names = [str(sizes[x]) if x in sizes and x not in given else x for x in names]
        return ", ".join(names)

    letters = iter("abcdefghijklmnopqrstuvwxyz")
    arguments, results, passed = [], [], {name: name for name in inputs}
    tensors = {name: tensor for name, tensor in inputs.items() if tensor["shape"] is not None}
    returned = {
        name: tensor | {"shape": tensor["shape"] or []}
        for name, tensor in outputs.items()
        if name not in inputs
    }
    sized = {x for tensor in [*tensors.values(), *returned.values()] for x in tensor["shape"]}
    # The dtype of a result that an argument chooses.
    chooses = [name for name, tensor in inputs.items() if tensor["dtype"] == "dtype"]
    chooses = chooses if len(chooses) == len(returned) == 1 else []
    for name, tensor in inputs.items():
        mark = f"({next(letters)}!)" if name in outputs else ""
        absent = "?" if tensor.get("optional") else ""
        if absent and (name in chooses or (tensor["shape"] is None and name in sized)):
            absent = ""
            notes.append(f"{name} may be absent in the definition")
        if name in chooses:
            arguments.append(f"ScalarType {name}")
        elif tensor["shape"] is None:
            arguments.append(f"{number(tensor['dtype'])}{absent} {name}")
        else:
            dtype = tensor["dtype"]
            if name in unknown:
                dtype = dtypes.get(name, "")
                notes += [f"not in the definition: the dtype of {name}"] if dtype else []
            elif dtype == "unknown":
                dtype = outputs[name]["dtype"]
            if dtype in UNSIGNED and name not in outputs:
                notes.append(
                    f"{name} is {dtype} in the {'option' if name in unknown else 'definition'}"
                )
                passed[name] = f"{name}.view(torch.{dtype})"
                if absent:
                    passed[name] = f"None if {name} is None else {passed[name]}"
                dtype = UNSIGNED[dtype]
            arguments.append(f"Tensor{mark}{absent} {name}: {dtype}[{shape(tensor)}]")
    # A size that no required argument has is an argument, unless only one size of an absent tensor has it.
    required = {name for name, tensor in inputs.items() if tensor["shape"] is None}
    loose: list[str] = []
    for tensor in tensors.values():
        if tensor.get("optional"):
            loose += names_in(shape(tensor))
        else:
            required |= set(names_in(shape(tensor)))
    used = loose + [x for tensor in returned.values() for x in names_in(shape(tensor, True))]
    for size in dict.fromkeys(used):
        if size not in required and (size not in loose or used.count(size) > 1):
            arguments.append(f"int {size}")
            notes.append(
                f'not in the definition: "int {size}", since no required tensor has this size'
            )
    for name, tensor in outputs.items():
        if tensor.get("optional"):
            notes.append(
                f"{name} may be absent, and the definition does not name the argument that decides it"
            )
    for name, tensor in returned.items():
        dtype = tensor["dtype"].replace("unknown", "")
        results.append(f"Tensor {name}: {(chooses or [dtype])[0]}[{shape(tensor, True)}]")
    right = results[0] if len(results) == 1 else f"({', '.join(results)})"
    signature = f"({', '.join(arguments)}) -> {right}"
    if chooses:
        signature += f" where {chooses[0]} in {{{dtype}}}"
        notes.append(f"{chooses[0]} is only the dtype that the definition has: add the others")
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
    missing = [x for x in unknown if x not in dtypes]
    if missing and "has no dtype" in refusal:
        given = " ".join(f"--dtype {x}=int32" for x in missing)
        refusal = f'The definition has no dtype of {", ".join(missing)}: add "{given}", with the right dtypes.'
    return Operator(
        name=name,
        signature=signature,
        sizes={x: value for x, value in sizes.items() if x in given},
        notes=notes,
        refusal=refusal,
        reference=definition.get("reference") or "",
        inputs=passed,
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
    values = [f"{x}.clone()" if x in one.written else value for x, value in one.inputs.items()]
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
    parser.add_argument(
        "--dtype",
        action="append",
        default=[],
        metavar="NAME=DTYPE",
        help="the dtype of a tensor that has none in a definition",
    )
    options = parser.parse_args()
    definitions = [json.loads(path.read_text()) for path in options.definitions]
    dtypes = {}
    for text in options.dtype:
        name, equals, dtype = text.partition("=")
        if not equals or not any(name in without_dtype(x) for x in definitions):
            parser.error(f"--dtype {text}: no definition has a tensor {name} without a dtype")
        dtypes[name] = dtype
    operators = [operator_of(one, dtypes) for one in definitions]
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
