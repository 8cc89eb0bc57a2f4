"""What a build lacks, it says in a sentence with the remedy: PyTorch, a compiler, a place, a path that tools can read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from render import render

from variants import BUILDS

torch = pytest.importorskip("torch")

COMPILED = [build for build in BUILDS if build != "nvrtc"]

# How a build begins, soonest.
BEGIN = {
    "setuptools": [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
    "cmake": ["cmake", "--fresh", "-B", "build", f"-DPython_EXECUTABLE={sys.executable}"],
}
IMPORT = [sys.executable, "-c", "import my_ops"]

# What torch/version.py says to who reads it, and to who imports PyTorch, which takes a second each time.
READ = """
import runpy

run_path = runpy.run_path
runpy.run_path = lambda path: run_path(path) | {facts}
"""
IMPORTED = """
import torch

torch.version.cuda = "12.8"
"""


def refusal(project: Path, build: str, **environment: str) -> str:
    """Return what a build prints, on one line, which has to fail."""
    extensions = {"TORCH_EXTENSIONS_DIR": str(project.parent / "extensions"), "CPU_ONLY": "1"}
    result = subprocess.run(
        BEGIN.get(build, IMPORT),
        cwd=project,
        env=os.environ | extensions | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode != 0, result.stdout
    return " ".join(result.stdout.split())


@pytest.fixture(scope="module")
def projects(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("needs")
    answers = {"autograd": "none"}
    return {
        build: render(folder / build / "my_ops", answers | {"build": build}) for build in BUILDS
    }


@pytest.mark.parametrize("build", BUILDS)
def test_an_old_pytorch(build, projects, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(READ.format(facts={"__version__": "2.9.1"}))
    text = refusal(projects[build], build, PYTHONPATH=str(tmp_path))
    assert "my_ops needs PyTorch 2.10" in text and "2.9.1" in text
    assert "`pip install --upgrade torch`" in text


@pytest.mark.parametrize("build", COMPILED)
def test_no_compiler(build, projects):
    text = refusal(projects[build], build, CXX="no-such-compiler")
    # CMake's own sentence, of several versions of it.
    cmake = re.search(r"Could not find .*environment variable CXX: no-such-compiler", text)
    ours = "there is no C++ compiler no-such-compiler; install g++ 11 or later" in text
    assert cmake if build == "cmake" else ours, text


@pytest.mark.parametrize("build", COMPILED)
def test_an_old_compiler(build, projects, tmp_path):
    compiler = tmp_path / "g++-10"
    compiler.write_text('#!/bin/sh\nexec g++ -U__GNUC__ -D__GNUC__=10 "$@"\n')
    compiler.chmod(0o755)
    text = refusal(projects[build], build, CXX=str(compiler))
    assert f"{compiler} is g++ 10" in text and "PyTorch needs 11 or later" in text, text


@pytest.mark.skipif(
    not torch.version.cuda, reason="needs nvcc and a PyTorch with CUDA, as build_cuda has"
)
@pytest.mark.parametrize("build", COMPILED)
def test_nvcc_of_another_major_version(build, projects, tmp_path):
    old = READ.format(facts={"cuda": "12.8"}) + (IMPORTED if build != "cmake" else "")
    (tmp_path / "sitecustomize.py").write_text(old)
    # Each build finds it where torch.utils.cpp_extension does.
    home = os.environ["CUDA_HOME"]
    others = [x for x in os.environ["PATH"].split(os.pathsep) if not Path(x, "nvcc").exists()]
    found = {"CUDA_HOME": "", "CUDA_PATH": home, "PATH": os.pathsep.join(others)}
    text = refusal(projects[build], build, PYTHONPATH=str(tmp_path), CPU_ONLY="0", **found)
    assert f"{home}/bin/nvcc" in text
    assert re.search(
        r"PyTorch has CUDA 12\.8, but \S*nvcc is (of CUDA )?13.* [Ss]et CUDA_HOME to a toolkit with the same major",
        text,
    ), text


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
@pytest.mark.parametrize("name", ["a$b", "a:b", 'a"b'])
def test_a_path_that_ninja_cannot_read(build, projects, name, tmp_path):
    moved = tmp_path / name / "my_ops"
    shutil.copytree(projects[build], moved)
    assert "which PyTorch cannot tell ninja; rename that folder" in refusal(moved, build)


@pytest.mark.parametrize("build", ["jit", "inline"])
def test_a_place_that_cannot_be_written(build, projects, tmp_path):
    (tmp_path / "file").touch()
    text = refusal(
        projects[build], build, TORCH_EXTENSIONS_DIR=str(tmp_path / "file" / "extensions")
    )
    assert (
        "nothing can be written" in text and "set TORCH_EXTENSIONS_DIR to a folder of yours" in text
    )
