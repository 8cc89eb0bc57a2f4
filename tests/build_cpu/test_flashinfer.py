"""tools/flashinfer.py turns definitions of FlashInfer-Bench into operators. Takes seconds."""

import ast
import json
import runpy
import subprocess
import sys

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
    project = render(tmp_path / "my_ops", {"more_ops": LINE})
    (source,) = map(type(tmp_path), flashinfer(path, "--into", project))
    tree = ast.parse(source.read_text())
    functions = [
        x
        for x in tree.body
        if isinstance(x, ast.FunctionDef) and x.name in ("run", "scaled_rows_d64_reference")
    ]
    alone = tmp_path / "alone.py"
    alone.write_text(
        f"import torch\nfrom torch import Tensor\n\n{ast.unparse(ast.Module(functions, []))}"
    )
    names = runpy.run_path(str(alone))
    x, starts = torch.randn(3, 64, dtype=torch.bfloat16), torch.arange(4, dtype=torch.int32)
    y, ends = names["scaled_rows_d64_reference"](x, starts, 2.0)
    assert torch.equal(y, x * 2) and ends.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_a_definition_that_no_signature_has_gets_a_sentence(tmp_path):
    outputs = {"y": {"shape": ["rows", "unseen"], "dtype": "bfloat16"}}
    axes = DEFINITION["axes"] | {"unseen": {"type": "var"}}
    path = tmp_path / "unseen.json"
    path.write_text(json.dumps(DEFINITION | {"outputs": outputs, "axes": axes}))
    lines = flashinfer(path)
    assert any(x.startswith('# No argument gives "unseen"') for x in lines), lines
    assert lines[-1] == "# 1 definitions, 0 of them accepted"
    assert not any(x.startswith("custom:") for x in lines)
