"""Kernels of other shapes, as their authors write them at the places marked EDIT, pass the rendered tests."""

from __future__ import annotations

import pytest
from building import python, ran_tests, succeed
from custom_edits import CUSTOM, MORE_OPS, make_edits
from render import render

# The most lines that change beside the kernel's math, its reference and the arguments of its tests.
MOST = 10


@pytest.mark.long
def test_edits_pass(tmp_path):
    """With another binding than where the session of CUDA compiles them."""
    answers = {"binding": "torch_stable", "signature": "Tensor(a!) out, Tensor x, float c -> ()"}
    project = render(tmp_path / "my_ops", answers | {"more_ops": MORE_OPS})
    changed = make_edits(project)
    assert all(count <= MOST for count in changed.values()), changed
    ran = ran_tests(project, "-k", f"({' or '.join(CUSTOM)}) and not compile")
    for name in CUSTOM:
        assert ran[f"tests.test_{name}"] >= 5, name
    # Of an operator that writes, and returns nothing.
    assert "differs from plain PyTorch by" in succeed(
        python(), "examples/quickstart.py", cwd=project
    )
