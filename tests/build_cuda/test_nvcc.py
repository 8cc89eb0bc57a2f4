"""A build says in a sentence which nvcc it can't use."""

from __future__ import annotations

import os
import re
import runpy
import sys
from pathlib import Path

import pytest
from building import READ, refusal, run
from render import render

from variants import BUILDS

IMPORTED = """
import torch

torch.version.cuda = "12.8"
"""


@pytest.mark.parametrize("build", [build for build in BUILDS if build != "nvrtc"])
def test_nvcc_of_another_major_version(build, tmp_path):
    project = render(tmp_path / "my_ops", {"build": build, "autograd": "none"})
    old = READ.format(facts={"cuda": "12.8"}) + (IMPORTED if build != "cmake" else "")
    (tmp_path / "sitecustomize.py").write_text(old)
    home = os.environ["CUDA_HOME"]
    others = [x for x in os.environ["PATH"].split(os.pathsep) if not Path(x, "nvcc").exists()]
    found = {"CUDA_HOME": "", "CUDA_PATH": home, "PATH": os.pathsep.join(others)}
    text = refusal(project, build, PYTHONPATH=str(tmp_path), CPU_ONLY="0", **found)
    assert re.search(rf"PyTorch has CUDA 12\.8, but {home}/bin/nvcc is of CUDA 13", text), text
    assert "install the CUDA 12.8 toolkit" in text, text


def test_cmake_is_told_of_nvcc(tmp_path):
    """If -DCMAKE_CUDA_COMPILER or CMake's cache names an nvcc, the doctor does not look for one."""
    project = render(tmp_path / "my_ops", {"build": "cmake", "autograd": "none"})
    (tmp_path / "sitecustomize.py").write_text(READ.format(facts={"cuda": "12.8"}))
    nvcc = f"{os.environ['CUDA_HOME']}/bin/nvcc"
    given = [f"-DPython_EXECUTABLE={sys.executable}", f"-DCMAKE_CUDA_COMPILER={nvcc}"]
    result = run(
        "cmake", "-B", "build", *given, cwd=project, PYTHONPATH=str(tmp_path), CUDA_HOME="/nowhere"
    )
    text = " ".join(result.stdout.split())
    assert result.returncode != 0 and f"PyTorch has CUDA 12.8, but {nvcc} is of CUDA 13" in text, (
        text
    )
    assert f"Delete {project}/build, which keeps it." in text, text


def test_a_script_that_calls_nvcc(tmp_path):
    """nvcc prints its toolkit, even if a script calls it."""
    project = render(tmp_path / "my_ops", extent="core")
    home = Path(os.environ["CUDA_HOME"]).resolve()
    script = tmp_path / "nvcc"
    script.write_text(f'#!/bin/sh\nexec {home}/bin/nvcc "$@"\n')
    script.chmod(0o755)
    doctor = runpy.run_path(str(project / "my_ops/_kit/doctor.py"))
    assert doctor["nvcc_of_toolkit"](script, "13.0") == home / "bin/nvcc"
