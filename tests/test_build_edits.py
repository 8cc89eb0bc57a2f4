"""What people make of the starting formulas, by the places marked EDIT alone, passes the rendered tests."""

from __future__ import annotations

from edits import ELEMENTWISE, MORE_OPS, ROWWISE, make_edits
from render import render
from test_build_ops import ran_tests


def test_edits_pass(tmp_path):
    project = render(tmp_path / "my_ops", {"more_ops": MORE_OPS})
    make_edits(project / "my_ops")
    ran = ran_tests(project)
    for name in ELEMENTWISE | ROWWISE:
        assert ran[f"tests.test_{name}"] >= 60, name
