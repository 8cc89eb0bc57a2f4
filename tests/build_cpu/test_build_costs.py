"""After an edit, a build compiles only the changed files, and a new process uses the result."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from render import TEMPLATE, render

from variants import VARIANTS


@pytest.mark.long
def test_only_what_changed_is_compiled(tmp_path):
    """The measuring script prints the compiled files, and fails if the old library is loaded."""
    names = [
        "cmake-torch_stable-none",
        "jit-torch_stable-none",
    ]  # in both, ninja lists the changed files
    chosen = [v for v in VARIANTS if str(v) in names]
    for variant in chosen:
        render(tmp_path / "rendered" / str(variant), variant.answers)
    out = tmp_path / "costs.json"
    script = [sys.executable, TEMPLATE / "tools" / "measure.py", tmp_path / "rendered"]
    result = subprocess.run(
        [*script, "--variants", *names, "--processes", "1", "--out", out],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:]
    rows = json.loads(out.read_text())["variants"]
    assert list(rows) == [str(variant) for variant in chosen]
    for name, row in rows.items():
        compiled = {edit: cost["compiled"] for edit, cost in row["edits"].items()}
        # The header holds the math; what knows tensors does not include it.
        assert compiled == {"cpp": 1, "h": 1}, f"{name}: {compiled}"
        assert row["calls"]["cpu"]["call"] > 0
