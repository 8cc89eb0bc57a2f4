"""Headers and libraries of others are named at the place marked EDIT, and are found by each build."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest
from building import install, python, succeed
from render import render
from updating import replace

CCCL = Path(sysconfig.get_path("purelib"), "nvidia/cu13/include/cccl")  # nvidia-cuda-cccl of PyPI
HEADER = "#pragma once\nnamespace mine { double zero(); }\n"
PLACE = {
    "setuptools": "setup.py",
    "cmake": "CMakeLists.txt",
    "jit": "my_ops/_library.py",
    "inline": "my_ops/_library.py",
}


@pytest.mark.skipif(not CCCL.exists(), reason="needs nvidia-cuda-cccl")
@pytest.mark.parametrize("build", PLACE)
def test_code_of_others_is_found(build, tmp_path):
    answers = {"build": build, "binding": "torch_stable", "autograd": "none"}
    project = render(tmp_path / "my_ops", answers)
    # A library of one's own, in the repository, and headers of NVIDIA's elsewhere.
    mine = project / "third_party"
    (mine / "include").mkdir(parents=True)
    (mine / "include/mine.h").write_text(HEADER)
    (mine / "mine.cpp").write_text("namespace mine { double zero() { return 0; } }\n")
    subprocess.run(["c++", "-fPIC", "-c", "mine.cpp", "-o", "mine.o"], cwd=mine, check=True)
    subprocess.run(["ar", "rc", "libmine.a", "mine.o"], cwd=mine, check=True)

    place = project / PLACE[build]
    text = place.read_text()
    start, edit = text[: text.index("# EDIT: third")], text[text.index("# EDIT: third") :]
    archive = mine / "libmine.a"
    if build == "cmake":
        edit = edit.replace("SYSTEM PRIVATE)", f'SYSTEM PRIVATE third_party/include "{CCCL}")', 1)
        edit = edit.replace("PRIVATE)", f'PRIVATE "{archive}")', 1)
    else:
        folders = f'["third_party/include", "{CCCL}"]'
        edit = edit.replace("INCLUDE_DIRS: list[str] = []", f"INCLUDE_DIRS = {folders}", 1)
        edit = edit.replace("LINK_ARGS: list[str] = []", f'LINK_ARGS = ["{archive}"]', 1)
    place.write_text(start + edit)

    loop = project / "my_ops/csrc/muladd/muladd_cpu.cpp"
    loop.write_text(f"#include <cuda/std/cmath>\n#include <mine.h>\n{loop.read_text()}")
    body = "out = a * b + c;"
    replace(loop.with_name("muladd.h"), body, "out = cuda::std::fma(a, b, c) + T(mine::zero());")
    cache = {"TORCH_EXTENSIONS_DIR": str(tmp_path / "extensions")}
    result = install(project, **cache)
    assert result.returncode == 0, result.stdout[-3000:]
    call = "import torch, my_ops; x = torch.full([4], 2.0); print(my_ops.muladd(x, x, 1.0))"
    text = succeed(python(), "-c", call, cwd=project, **cache)
    assert "tensor([5., 5., 5., 5.])" in text
