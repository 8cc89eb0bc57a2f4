"""Kernels of other shapes, as their authors write them at the places marked EDIT, pass the rendered tests."""

from __future__ import annotations

import pytest
from building import ran_tests
from custom_edits import CUSTOM, MORE_OPS, make_edits
from render import render

# The most lines that change beside the kernel's math, its reference and the arguments of its tests.
MOST = 10


@pytest.mark.long
@pytest.mark.parametrize("binding", ["torch_library", "torch_stable"])
def test_edits_pass(binding, tmp_path):
    project = render(tmp_path / "my_ops", {"binding": binding, "more_ops": MORE_OPS})
    changed = make_edits(project)
    assert all(count <= MOST for count in changed.values()), changed
    ran = ran_tests(project, "-k", f"({' or '.join(CUSTOM)}) and not compile")
    for name in CUSTOM:
        assert ran[f"tests.test_{name}"] >= 5, name
