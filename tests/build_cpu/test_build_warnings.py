"""The sources of a project compile without warnings under -Wall -Wextra -Wconversion."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest
import torch
from features import FEWER_OPS, more_ops
from render import render

from variants import Variant

TORCH = Path(torch.__file__).parent / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
# Each binding, and what differs with autograd=cpp.
COMPILED = [
    Variant("setuptools", "torch_library", "function"),
    Variant("setuptools", "torch_stable", "function"),
    Variant("setuptools", "pybind11", "cpp"),
]
CUSTOM = """
custom: pool(Tensor x: float32[..., H, W], int kernel) -> Tensor: float32[..., (H - kernel) // 2 + 1, W // 2]
custom: nearest(Tensor query: [B, N, 3], Tensor? weight: [N]=None, *, int k=1) -> (Tensor distance: [B, N, k], Tensor index: int64[B, N, k])"""


@pytest.mark.parametrize("variant", COMPILED, ids=str)
def test_no_warnings(variant, tmp_path):
    answers = variant.answers | {"more_ops": more_ops(FEWER_OPS) + CUSTOM}
    project = render(tmp_path / "my_ops", answers)
    # In one file, so that PyTorch's headers are read once.
    sources = sorted(project.glob("my_ops/csrc/**/*.cpp"))
    file = tmp_path / "all.cpp"
    file.write_text("".join(f'#include "{path}"\n' for path in sources))
    macros = ["-DTORCH_EXTENSION_NAME=_C"]
    macros += ["-DTORCH_TARGET_VERSION=0x020a000000000000"] * (variant.binding == "torch_stable")
    headers = [TORCH, TORCH / "torch/csrc/api/include", sysconfig.get_path("include")]
    system = [option for path in headers for option in ("-isystem", path)]
    command = ["g++", "-std=c++20", "-fsyntax-only", *WARNINGS, *macros, *system, file]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[:6000]
