"""A build says in a sentence which nvcc it can't use."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from building import READ, refusal
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
    # Each build finds it where torch.utils.cpp_extension does.
    home = os.environ["CUDA_HOME"]
    others = [x for x in os.environ["PATH"].split(os.pathsep) if not Path(x, "nvcc").exists()]
    found = {"CUDA_HOME": "", "CUDA_PATH": home, "PATH": os.pathsep.join(others)}
    text = refusal(project, build, PYTHONPATH=str(tmp_path), CPU_ONLY="0", **found)
    assert f"{home}/bin/nvcc" in text
    assert re.search(r"PyTorch has CUDA 12\.8, but \S*nvcc is (of CUDA )?13", text), text
    # CMake compares by itself: it may have been told of a compiler, too.
    way_out = "Set CUDA_HOME to a toolkit" if build == "cmake" else "install the CUDA 12.8 toolkit"
    assert way_out in text, text
