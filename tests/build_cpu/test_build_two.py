"""Two packages in one process, with all kernels in each, and their tests in one run of pytest."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from building import compile_faster, run, succeed
from render import render

KERNELS = """\
rowwise: norm(Tensor x, Tensor weight, float eps=1e-6)
matmul: linear(Tensor x, Tensor w, Tensor? bias=None)
matmul: into(Tensor(a!) c, Tensor a, Tensor b) -> ()
image: gray(Tensor image)
volume: normalize(Tensor volume, float? low=None)
custom: pool(Tensor x: float32[..., H, W], int kernel) -> Tensor: float32[..., (H - kernel) // 2 + 1, W // 2]
"""
SOME = "values and contiguous and float32 and cpu or interpreter"


@pytest.fixture
def libs(tmp_path) -> Path:
    """Two projects, with the binding and autograd that compile fastest."""
    for name, project in [("a", "first"), ("b", "second")]:
        answers = {"project": project, "binding": "torch_stable", "autograd": "none"}
        path = render(tmp_path / "libs" / name, answers | {"more_ops": KERNELS})
        compile_faster(path)
        succeed(sys.executable, "setup.py", "build_ext", "--inplace", cwd=path)
    return tmp_path / "libs"


def passed(libs: Path, cwd: Path, *arguments: str) -> int:
    """Return the number of passed tests, after checking that none fails or warns."""
    paths = f"{libs / 'a'}:{libs / 'b'}"
    command = ["pytest", "-q", "--strict-markers", *arguments]
    result = run(*command, cwd=cwd, PYTHONPATH=paths)
    assert result.returncode == 0 and "warning" not in result.stdout, result.stdout
    return int(re.search(r"(\d+) passed", result.stdout)[1])


def test_side_by_side(libs):
    """From the repository, and from a folder below, file by file, as `--import-mode=importlib` does."""
    files = ["test_muladd.py", "../../a/tests/test_muladd.py", "../../a/tests/test_sharding.py"]
    assert (
        passed(
            libs, libs / "b/tests", "--import-mode=importlib", *files, "-k", f"{SOME} or dtensors"
        )
        == 3
    )
    assert passed(libs, libs.parent, "libs/a", "libs/b", "-k", SOME) == 14
    # All variants of the stable ABI without a gradient are core, which does not test these.
    assert passed(libs, libs.parent, "libs/b", "-k", "vmap or autocast") > 4
