"""The operator that is there runs, although PyTorch keeps code for one with the same name."""

from __future__ import annotations

import shutil
import sys

from building import ran_tests, succeed
from render import render
from updating import replace


def test_another_size_of_a_result_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))
    for size in "N", "2 * N":
        project = tmp_path / "my_ops"
        answers = {
            "kernel": "custom",
            "op": "twice",
            "signature": f"Tensor x: [N] -> Tensor: [{size}]",
        }
        render(project, answers | {"build": "nvrtc"}, extent="core")
        ran = ran_tests(project, "-k", "compile and cpu")
        assert ran["tests.test_twice"] > 0
        shutil.rmtree(project)


GRADIENT = """
import torch
import my_ops

a, b = torch.ones(4, requires_grad=True), torch.full((4,), 3.0)
torch.compile(lambda a, b: my_ops.muladd(a, b, 1.0) * 2)(a, b).sum().backward()
print(a.grad[0].item())
"""


def test_an_edited_gradient_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))
    project = render(tmp_path / "my_ops", {"build": "nvrtc"}, extent="core")
    assert succeed(sys.executable, "-c", GRADIENT, cwd=project).split() == ["6.0"]
    backward = "return grad_a, grad_b, None"
    replace(project / "my_ops/ops/muladd.py", backward, backward.replace("_a", "_a * 10"))
    assert succeed(sys.executable, "-c", GRADIENT, cwd=project).split() == ["60.0"]
