"""tools/flashinfer.py turns definitions of FlashInfer-Bench into operators. Takes seconds."""

import ast
import json
import runpy
import subprocess
import sys
from pathlib import Path

import torch
from macros import ROOT
from render import render

DEFINITION = {
    "name": "scaled_rows_d64",
    "op_type": "scaled_rows",
    "axes": {
        "rows": {"type": "var"},
        "rows_plus_1": {"type": "var"},
        "D": {"type": "const", "value": 64},
        "two": {"type": "const", "value": 2},
    },
    "constraints": ["rows_plus_1 == rows + 1", "rows > 0"],
    "inputs": {
        "x": {"shape": ["rows", "D"], "dtype": "bfloat16"},
        "starts": {"shape": ["rows_plus_1"], "dtype": "int32"},
        "scale": {"shape": None, "dtype": "float32"},
    },
    "outputs": {
        "y": {"shape": ["rows", "D"], "dtype": "bfloat16"},
        "ends": {"shape": ["rows", "two"], "dtype": "int32"},
    },
    "reference": "import torch\n\ndef run(x, starts, scale):\n"
    "    ends = torch.stack([starts[:-1], starts[1:]], 1)\n    return (x * scale).to(x.dtype), ends",
}
LINE = (
    "custom: scaled_rows_d64(Tensor x: bfloat16[rows, D], Tensor starts: int32[rows + 1], float scale) "
    "-> (Tensor y: bfloat16[rows, D], Tensor ends: int32[rows, 2])"
)


def flashinfer(*arguments) -> list[str]:
    command = [sys.executable, "tools/flashinfer.py", *map(str, arguments)]
    return subprocess.check_output(command, cwd=ROOT, text=True).splitlines()


def reference(line: str, definition: Path, folder: Path) -> dict:
    """Return the names in the reference that an operator of a definition gets, without the library."""
    project = render(folder / "my_ops", {"more_ops": line})
    (source,) = map(Path, flashinfer(definition, "--into", project))
    functions = [
        x
        for x in ast.parse(source.read_text()).body
        if isinstance(x, ast.FunctionDef) and (x.name == "run" or x.name.endswith("_reference"))
    ]
    alone = folder / "alone.py"
    alone.write_text(
        f"import torch\nfrom torch import Tensor\n\n{ast.unparse(ast.Module(functions, []))}"
    )
    return runpy.run_path(str(alone))


def test_a_definition_becomes_an_operator(tmp_path):
    """The signature, the usual sizes and the reference; the reference runs without the library."""
    path = tmp_path / "scaled_rows.json"
    path.write_text(json.dumps(DEFINITION))
    assert flashinfer(path) == [
        "# from scaled_rows.json",
        "# usual sizes: D=64",
        "# not in the signature: rows > 0",
        LINE,
        "# 1 definitions, 1 of them accepted",
    ]
    names = reference(LINE, path, tmp_path)
    x, starts = torch.randn(3, 64, dtype=torch.bfloat16), torch.arange(4, dtype=torch.int32)
    y, ends = names["scaled_rows_d64_reference"](x, starts, 2.0)
    assert torch.equal(y, x * 2) and ends.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_what_a_definition_does_not_have_is_written_with_a_note(tmp_path):
    """Sizes that no required tensor has, dtypes as arguments, and uint32, which a reference gets back."""
    axes = ["rows", "unseen", "blocks", "tiles"]
    optional = {"optional": True}
    definition = {
        "name": "padded",
        "axes": {name: {"type": "var"} for name in axes},
        "constraints": ["blocks == rows // 2", "tiles == blocks // 2"],
        "inputs": {
            "x": {"shape": ["rows"], "dtype": "float32"},
            "bits": {"shape": ["rows"], "dtype": "uint32"} | optional,
            "table": {"shape": ["tiles", "loose"], "dtype": "int32"} | optional,
            "rows": {"shape": None, "dtype": "int32"} | optional,
            "out_dtype": {"shape": None, "dtype": "dtype"} | optional,
        },
        "outputs": {"y": {"shape": ["rows", "unseen"], "dtype": "float32"}},
        "reference": "import torch\n\ndef run(x, bits, table, rows, out_dtype):\n"
        "    kept = bits == torch.tensor(2**32 - 1, dtype=torch.uint32)\n"
        "    return (x * kept).to(out_dtype).reshape(rows, 1)",
    }
    path = tmp_path / "padded.json"
    path.write_text(json.dumps(definition))
    line = (
        "custom: padded(Tensor x: float32[rows], Tensor? bits: int32[rows], "
        "Tensor? table: int32[(rows // 2) // 2, loose], int rows, ScalarType out_dtype, int unseen) "
        "-> Tensor y: out_dtype[rows, unseen] where out_dtype in {float32}"
    )
    assert flashinfer(path) == [
        "# from padded.json",
        "# bits is uint32 in the definition",
        "# rows may be absent in the definition",
        "# out_dtype may be absent in the definition",
        '# not in the definition: "int unseen", since no required tensor has this size',
        "# out_dtype is only the dtype that the definition has: add the others",
        line,
        "# 1 definitions, 1 of them accepted",
    ]
    names = reference(line, path, tmp_path)
    y = names["padded_reference"](
        torch.ones(2), torch.tensor([-1, 1], dtype=torch.int32), None, 2, torch.float64, 1
    )
    assert y.dtype == torch.float64 and y.tolist() == [[1], [0]]


def test_a_dtype_that_a_definition_does_not_have_is_an_option(tmp_path):
    """Of tensors that were absent when the definition was made."""
    absent = {"shape": ["rows"], "dtype": "unknown", "optional": True}
    inputs = DEFINITION["inputs"] | {"mask": absent, "words": absent}
    path = tmp_path / "unseen.json"
    path.write_text(json.dumps(DEFINITION | {"inputs": inputs}))
    lines = flashinfer(path, "--dtype", "mask=bool")
    assert (
        '# The definition has no dtype of words: add "--dtype words=int32", with the right dtypes.'
        in lines
    )
    assert lines[-1] == "# 1 definitions, 0 of them accepted"
    assert not any(x.startswith("custom:") for x in lines)
    lines = flashinfer(path, "--dtype", "mask=bool", "--dtype", "words=uint32")
    assert "# not in the definition: the dtype of mask" in lines
    assert "# words is uint32 in the option" in lines
    line = LINE.replace("scale)", "scale, Tensor? mask: bool[rows], Tensor? words: int32[rows])")
    assert lines[-2:] == [line, "# 1 definitions, 1 of them accepted"]
    command = [sys.executable, "tools/flashinfer.py", path, "--dtype", "x=float16"]
    result = subprocess.run(command, check=False, cwd=ROOT, text=True, capture_output=True)
    assert "--dtype x=float16: no definition has a tensor x without a dtype" in result.stderr
