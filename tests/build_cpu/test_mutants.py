"""Wrong kernels fail the tests of a project with the rendered samples, without a test of the author's.

These are some faults of three operators. `python tools/mutants.py FOLDER` runs all faults, and docs/measurements/mutants.md
has the results.
"""

from __future__ import annotations

import json
import re
import sys

import pytest
from building import succeed
from mutants import lives
from render import TEMPLATE

# They read bits, take an optional tensor, add atomically.
OPS = "unpack|summed|counted"
EVERY = 4  # one of four faults that rules make, always the same, and all that are written by hand

pytestmark = pytest.mark.xdist_group("mutants")


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """Return a function that runs the tool, which builds once."""
    folder = tmp_path_factory.mktemp("mutants")

    def run(*options: str) -> str:
        command = [sys.executable, TEMPLATE / "tools" / "mutants.py", folder, "custom"]
        return succeed(*command, "--ops", OPS, "--every", str(EVERY), *options, cwd=folder)

    run.folder = folder
    return run


def test_right_kernels_pass(tool):
    assert "3 runs of right kernels, 0 failed" in tool("--right", "1")


def test_wrong_kernels_fail(tool):
    printed = tool()
    found = json.loads((tool.folder / "custom.json").read_text())
    assert len(found) > 25, printed
    living = [x for x in found if not x["killer"]]
    unknown = [x for x in living if not lives(x["op"], x["kind"], x["name"])]
    assert len(unknown) <= 0.02 * len(found), printed
    assert not [x for x in unknown if x["kind"] == "by hand"], printed


def test_no_fault_is_where_a_kernel_names_its_arguments(tmp_path):
    """A fault replaced a name in a list of names over several lines, and nothing compiled."""
    command = [sys.executable, TEMPLATE / "tools" / "mutants.py", tmp_path, "custom"]
    succeed(*command, "--render", "--ops", "deform_conv", cwd=tmp_path)
    text = (tmp_path / "custom/my_ops/csrc/deform_conv/deform_conv.h").read_text()
    assert len(re.findall(r"const auto\s+\[", text)) == 1
