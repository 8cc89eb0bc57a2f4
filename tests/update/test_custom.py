"""Operators of the kernel custom keep their author's kernels through updates."""

from __future__ import annotations

import pytest
from custom_edits import CUSTOM, make_edits, more_ops
from render import render
from updating import commit, git, replace, start, update


def test_one_more_argument_and_operator(template, tmp_path):
    """Neither meets a line of the kernel, of the reference or of the tests' arguments."""
    project = render(tmp_path / "my_ops", {"more_ops": more_ops()}, template=template)
    make_edits(project)
    start(project)
    before = git(project, "ls-files").split()
    more = more_ops().replace("int stride=1)", "int stride=1, *, float gain=1.0)")
    assert more != more_ops()
    more += "\ncustom: swapped(Tensor x: [N, M], Tensor? y: [M]=None) -> Tensor: [M, N]"
    update(project, data={"more_ops": more})
    assert git(project, "ls-files", "-u") == ""
    commit(project, "updated")
    assert set(before) < set(git(project, "ls-files").split())
    for name, edit in CUSTOM.items():
        folder = project / "my_ops" / "csrc" / name
        assert edit.thread.strip() in (folder / f"{name}.h").read_text()
        module = (project / "my_ops" / "ops" / f"{name}.py").read_text()
        assert edit.reference.strip() in module
        for _, new in edit.tensors:
            assert new in (folder / f"{name}.cpp").read_text()
    assert "args.gain = gain;" in (project / "my_ops/csrc/max_pool/max_pool.cpp").read_text()


@pytest.mark.parametrize("build", ["setuptools", "nvrtc"])
def test_one_more_argument_beside_what_is_edited(template, tmp_path, build):
    """An author edits docstrings, threads and memory next to lines with the arguments."""
    signature = "(Tensor x: [N, D], Tensor index: int64[M]) -> Tensor: [M, D]"
    answers = {"build": build, "kernel": "custom", "op": "rows_at", "signature": signature}
    project = render(tmp_path / "my_ops", answers, template=template)
    module = project / "my_ops" / "ops" / "rows_at.py"
    summary = "Compute a placeholder: the first elements of ``x``, padded with zeros."
    replace(module, summary, "Take rows by their numbers.")
    replace(module, "Compute the same with PyTorch's own operators", "Index with PyTorch")
    if build == "nvrtc":
        replace(module, "num_threads = out.numel()", "num_threads = M")
        replace(module, "(-(-num_threads // 256), 1, 1)", "(M, 1, 1)")
        replace(module, "(256, 1, 1)", "(64, 1, 1)")
    else:
        cpp = project / "my_ops" / "csrc" / "rows_at" / "rows_at.cpp"
        replace(cpp, 'check.result("out"', 'check.zeros("out"')
        replace(cpp, "num_threads = out.numel()", "num_threads = M")
    start(project)
    more = "Tensor index: int64[M], Tensor? weight: [M]=None, *, float scale=1.0)"
    update(project, data={"signature": signature.replace("Tensor index: int64[M])", more)})
    assert git(project, "ls-files", "-u") == ""
    assert module.read_text().count("    scale: float = 1.0,\n") >= 2
