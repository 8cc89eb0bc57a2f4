"""Kernels of rows, as their authors write them at the places marked EDIT, pass the rendered tests."""

from __future__ import annotations

import pytest
from building import ran_tests
from render import render
from row_edits import ROWS, make_edits, more_ops

# The most lines that change beside the math, its reference and the arguments of its tests.
MOST = 10


@pytest.mark.long
def test_edits_pass(tmp_path):
    """With the starting formula, too, of an operator that has what a signature can say."""
    started = (
        "Tensor x: [..., H, N], Tensor? y: int32[..., H, N], Tensor group: int64[..., H], Tensor? w: float64[N], "
        "Tensor(a!) total: float32[..., H], Tensor(b!) q: float8_e5m2[..., H, N], int k "
        "-> (Tensor: bfloat16[..., H, N], Tensor: uint8[..., H], Tensor: bool[..., H, N])"
    )
    answers = {"kernel": "rowwise", "op": "started", "signature": started}
    project = render(tmp_path / "my_ops", answers | {"more_ops": more_ops()})
    changed = make_edits(project)
    assert all(count <= MOST for count in changed.values()), changed
    ran = ran_tests(project, "-k", "not compile")
    for name in [*ROWS, "started"]:
        assert ran[f"tests.test_{name}"] >= 30, name
