"""What people make of the starting formulas, by the places marked EDIT alone, passes the rendered tests."""

from __future__ import annotations

from edits import EDITS, KERNELS, MORE_OPS, make_edits
from render import render
from test_build_ops import ran_tests


def test_edits_pass(tmp_path):
    project = render(tmp_path / "my_ops", {"more_ops": MORE_OPS})
    make_edits(project / "my_ops")
    ran = ran_tests(project)
    for name in EDITS:
        least = 60 if name in KERNELS["elementwise"] | KERNELS["rowwise"] else 30
        assert ran[f"tests.test_{name}"] >= least, name
