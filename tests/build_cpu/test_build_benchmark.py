"""The output of a rendered project's benchmark, without an operator to time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from render import render

TABLE = """
from common import copy, print_row

keys = ["op", "eager", "torch.compile", "copy", "kernel"]
for doubtful in [[], ["kernel"], ["copy"], ["eager"], ["op"], ["torch.compile"], keys]:
    times = dict.fromkeys(keys, 0.01)
    speeds = dict(zip(keys, [6.0, 2.0, 3.0, 8.0, 7.0]))
    print_row(4096, {"GB/s": speeds, "doubtful": doubtful, "spread": times}, copy, "GB/s")
"""


def run(folder: Path, code: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


# The last two columns, for each list of doubtful times.
QUOTIENTS = "0.88 3.00, - 3.00, - 3.00, 0.88 -, 0.88 -, 0.88 3.00, - -"


def test_slow_calls_have_three_digits(tmp_path):
    folder = render(tmp_path / "my_ops", extent="core") / "benchmarks"
    line = run(folder, TABLE.replace("2.0, 3.0", "0.001234, 123456.7")).stdout.splitlines()[0]
    assert line.split()[1:5] == ["6.0±1%", "0.00123±1%", "123457±1%", "8.0±1%"], line


def test_what_is_not_to_be_compared_is_not(tmp_path):
    folder = render(tmp_path / "my_ops", extent="core") / "benchmarks"
    lines = run(folder, TABLE).stdout.splitlines()
    assert [line.split()[-2:] for line in lines] == [x.split() for x in QUOTIENTS.split(", ")]
    assert all(line.startswith("      4,096") and len(line) <= 80 for line in lines)


WITHOUT_MATPLOTLIB = """
import sys
from pathlib import Path
from types import SimpleNamespace

sys.modules["matplotlib"] = None
from common import copy, write

op = SimpleNamespace(__name__="muladd")
write([{"numel": 4096}], copy, "GB/s", op, "cpu", Path("results"))
"""


@pytest.mark.parametrize("extent", ["core", "full"])
def test_results_are_written_without_matplotlib(extent, tmp_path):
    folder = render(tmp_path / "my_ops", extent=extent) / "benchmarks"
    result = run(folder, WITHOUT_MATPLOTLIB)
    path = "results/muladd_cpu.json"
    assert result.stdout == f"written: {path}; for a picture: pip install matplotlib\n"
    assert json.loads((folder / path).read_text())["rows"] == [{"numel": 4096}]
    tools = "matplotlib tqdm" if extent == "full" else "matplotlib"
    assert f"pip install {tools}\n" in (folder.parent / "README.md").read_text()
