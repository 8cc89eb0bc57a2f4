"""What the benchmark of a rendered project prints, without an operator to time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from render import render

TABLE = """
from common import COPY, print_table

keys = ["op", "eager", "torch.compile", "copy", "kernel"]
for doubtful in [[], ["kernel"], ["copy"], ["eager"], ["op"], ["torch.compile"], keys]:
    times = dict.fromkeys(keys, 0.01)
    row = {"pass": "forward", "dtype": "float32", "numel": 4096, "bound by the host": False, "doubtful": doubtful}
    print_table([row | {"GB/s": dict(zip(keys, [6.0, 2.0, 3.0, 8.0, 7.0])), "spread": times}], COPY, "")
"""


def run(folder: Path, code: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_what_is_not_to_be_compared_is_not(tmp_path):
    folder = render(tmp_path / "my_ops") / "benchmarks"
    stands_in = (
        "import sys; sys.modules['tqdm'] = type(sys)('tqdm'); sys.modules['tqdm'].tqdm = None\n"
    )
    lines = run(folder, stands_in + TABLE).stdout.splitlines()
    quotients = [line.split()[-2:] for line in lines if line.startswith("      4,096")]
    assert quotients == [
        ["0.88", "3.00"],
        ["-", "3.00"],
        ["-", "3.00"],
        ["0.88", "-"],
        ["0.88", "-"],
        ["0.88", "3.00"],
        ["-", "-"],
    ]


@pytest.mark.parametrize("extent, packages", [("core", "tqdm"), ("full", "matplotlib tqdm")])
def test_what_it_needs_is_named(extent, packages, tmp_path):
    folder = render(tmp_path / "my_ops", extent=extent) / "benchmarks"
    result = run(folder, "import sys; sys.modules['tqdm'] = None; import common")
    assert result.stderr == f"the benchmark needs: pip install {packages}\n"
    assert f"pip install {packages}\n" in (folder.parent / "README.md").read_text()
