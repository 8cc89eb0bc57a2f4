"""A project's tests run the operator that is there, although PyTorch keeps code for one with the same name."""

from __future__ import annotations

import shutil

from building import ran_tests
from render import render


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
