"""Operators of the kernel custom keep their author's kernels through updates."""

from __future__ import annotations

from custom_edits import CUSTOM, make_edits, more_ops
from render import render
from updating import commit, git, start, update


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
