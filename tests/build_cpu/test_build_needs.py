"""A build that lacks PyTorch, a compiler, a folder or a usable path prints a sentence with the fix."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from building import FREE_THREADED, READ, new_python, refusal, run
from render import render

from variants import BUILDS

COMPILED = [build for build in BUILDS if build != "nvrtc"]


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
    needs = "my_ops needs PyTorch 2.10" if build == "cmake" else "PyTorch 2.9.1 is too old: my_ops"
    assert needs in text and "2.9.1" in text and "pip install --upgrade torch" in text, text


def test_an_old_setuptools(projects, tmp_path):
    """It would refuse the license of pyproject.toml: "must be valid exactly by one definition"."""
    old = "import setuptools\nsetuptools.__version__ = '69.5.1'\n"
    (tmp_path / "sitecustomize.py").write_text(old)
    text = refusal(projects["setuptools"], "setuptools", PYTHONPATH=str(tmp_path))
    remedy = "run `pip install 'setuptools>=78.1.1'` first"
    assert text == f"setuptools 69.5.1 is too old: {remedy}"


@pytest.mark.parametrize("build", COMPILED)
def test_a_free_threaded_python(build, tmp_path):
    project = render(tmp_path / "my_ops", {"build": build, "binding": "pybind11"})
    (tmp_path / "sitecustomize.py").write_text(FREE_THREADED)
    text = refusal(project, build, PYTHONPATH=str(tmp_path))
    assert "free-threaded" in text and "copier update --data binding=torch_library" in text, text


def test_a_package_that_was_renamed_by_hand(projects, tmp_path):
    project = tmp_path / "my_ops"
    shutil.copytree(projects["setuptools"], project)
    (project / "my_ops").rename(project / "fused_ops")
    sentence = "my_ops does not exist; to rename it: copier update --data project=NAME"
    assert refusal(project, "setuptools") == sentence


@pytest.mark.parametrize("build", COMPILED)
def test_no_compiler(build, projects):
    text = refusal(projects[build], build, CXX="no-such-compiler")
    # CMake's own sentence, of several versions of it.
    cmake = re.search(r"Could not find .*environment variable CXX: no-such-compiler", text)
    ours = "there is no C++ compiler no-such-compiler" in text and "apt install g++" in text
    assert cmake if build == "cmake" else ours, text


@pytest.mark.parametrize("build", [build for build in COMPILED if build != "cmake"])
def test_a_compiler_of_two_words(build, projects):
    """PyTorch 2.13 quotes them as one."""
    text = refusal(projects[build], build, CXX="g++ -m64")
    assert (
        "there is no C++ compiler g++ -m64" in text and "the path of a script that calls it" in text
    ), text


@pytest.mark.parametrize("build", COMPILED)
def test_a_variable_that_is_neither_1_nor_0(build, projects):
    text = refusal(projects[build], build, CPU_ONLY="true")
    assert "CPU_ONLY is 'true', not 1 or 0" in text, text
    if build == "setuptools":
        text = refusal(projects[build], "", MY_OPS_REBUILD="yes")  # by an import
        assert "MY_OPS_REBUILD is 'yes', not 1 or 0 -> export MY_OPS_REBUILD=1" in text


def test_a_variable_of_tests_that_is_neither_1_nor_0(projects):
    tests = run("pytest", cwd=projects["nvrtc"], PYTHONPATH=".", LARGE="yes", SEED="")
    assert "ERROR: not tested: LARGE is 'yes', not 1 or 0" in tests.stdout, tests.stdout


# Which GPUs PyTorch, were it one with CUDA, would be told to compile for.
GPUS = """
import os, runpy, setuptools, sys, torch
from torch.utils import cpp_extension

def say(*arguments, **options):
    sys.exit(f"by {cpp_extension.CUDA_HOME} for {os.environ['TORCH_CUDA_ARCH_LIST']}")

torch.version.cuda = "13.0"
setuptools.setup = cpp_extension.load = cpp_extension.load_inline = say
runpy.run_path("setup.py") if os.path.exists("setup.py") else runpy.run_module("my_ops")
"""


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
def test_no_gpus_are_named(build, projects, tmp_path):
    """Containers set an empty variable. PyTorch then asks the GPUs, and fails without one."""
    home = tmp_path / "nvidia/cu13"  # where pip installs it
    nvcc = home / "bin/nvcc"
    nvcc.parent.mkdir(parents=True)
    nvcc.write_text("#!/bin/sh\necho release 13.0, V13.0.88\n")
    nvcc.chmod(0o755)
    for name in ("include/cuda_runtime.h", "lib/libcudart.so.13"):
        (home / name).parent.mkdir()
        (home / name).touch()
    for given, gpus in {"": ("8.0;9.0+PTX", "8.0+PTX"), "9.0": ("9.0", "9.0")}.items():
        said = run(
            *(sys.executable, "-c", GPUS),
            cwd=projects[build],
            CPU_ONLY="0",
            CUDA_HOME="",
            CUDA_PATH="",
            PYTHONPATH=str(tmp_path),
            TORCH_EXTENSIONS_DIR=str(tmp_path),
            TORCH_CUDA_ARCH_LIST=given,
        ).stdout
        assert said.endswith(f"by {home} for {gpus[build != 'setuptools']}\n"), said


# A PyTorch for CUDA looks for a toolkit as it imports what compiles.
FOR_CUDA = """
import os, runpy, sys, torch

torch.cuda._is_compiled, torch.cuda.is_available = lambda: True, lambda: False
torch.version.cuda = "13.0"
sys.argv = ["setup.py", "build_ext", "--inplace"]
runpy.run_path("setup.py") if os.path.exists("setup.py") else runpy.run_module("my_ops")
"""


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
def test_a_toolkit_without_a_gpu_is_no_warning(build, projects, tmp_path):
    command = (sys.executable, "-c", FOR_CUDA)
    result = run(*command, cwd=projects[build], CUDA_HOME=str(tmp_path), CXX="/bin/false")
    assert "`/bin/false --version` ended with status 1" in result.stdout
    assert "CUDA_HOME" not in result.stdout


@pytest.fixture
def without_ninja(tmp_path) -> Path:
    """A folder of links to all programs on PATH, except ninja."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for program in chain(*(Path(path).glob("*") for path in os.get_exec_path())):
        if program.name not in ("ninja", "ninja-build") and not (folder / program.name).exists():
            (folder / program.name).symlink_to(program)
    return folder


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
def test_no_ninja(build, projects, without_ninja):
    """setuptools compiles without ninja, so ninja is no cause there. jit and inline need ninja."""
    python = new_python()  # with no ninja beside it
    environment = {"PATH": str(without_ninja), "CPU_ONLY": "1"}
    command = ("setup.py", "build_ext") if build == "setuptools" else ("-c", "import my_ops")
    text = run(python, *command, cwd=projects[build], **environment, CXX="/bin/false").stdout
    assert "`/bin/false --version` ended with status 1" in text and "ninja" not in text, text
    if build != "setuptools":
        text = run(python, *command, cwd=projects[build], **environment).stdout
        assert "there is no ninja on PATH\n            -> pip install ninja" in text, text


FORCED = """
import runpy, setuptools, sys

def setup(cmdclass, **facts):
    command = cmdclass["build_ext"](setuptools.Distribution(facts))
    command.finalize_options()
    sys.exit(not command.force or command.use_ninja)

setuptools.setup = setup
runpy.run_path("setup.py")
"""


def test_without_ninja_every_file_is_compiled(projects, without_ninja):
    """setuptools looks only at .cpp and .cu files: an edited header was not compiled, and recorded as compiled."""
    environment = {"PATH": str(without_ninja), "CPU_ONLY": "1"}
    result = run(new_python(), "-c", FORCED, cwd=projects["setuptools"], **environment)
    assert result.returncode == 0, result.stdout


NINJA = """
import runpy, shutil, setuptools, sys, torch
from torch.utils import cpp_extension

setuptools.setup = cpp_extension.load = cpp_extension.load_inline = lambda *_, **__: sys.exit(shutil.which("ninja"))
runpy.run_path("setup.py") if sys.argv[1] == "setuptools" else runpy.run_module("my_ops")
"""


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
def test_a_ninja_of_an_environment_that_is_not_activated(build, projects, without_ninja, tmp_path):
    """pip installs it beside Python, where PyTorch does not look."""
    python = Path(new_python())
    shutil.copy(shutil.which("ninja"), python.parent)
    environment = {"PATH": str(without_ninja), "TORCH_EXTENSIONS_DIR": str(tmp_path)}
    command = (python, "-c", NINJA, build)
    text = run(*command, cwd=projects[build], CPU_ONLY="1", **environment).stdout
    assert text.splitlines()[-1] == str(python.with_name("ninja")), text


@pytest.mark.parametrize("build", COMPILED)
def test_an_old_compiler(build, projects, tmp_path):
    compiler = tmp_path / "g++-10"
    said = "g++ (GCC) 10.2.0\nCopyright (C) 2020 Free Software Foundation, Inc."
    old = '"$@"' if build != "cmake" else '-U__GNUC__ -D__GNUC__=10 "$@"'
    compiler.write_text(f"#!/bin/sh\n[ $1 = --version ] && echo '{said}' || exec g++ {old}\n")
    compiler.chmod(0o755)
    text = refusal(projects[build], build, CXX=str(compiler))
    assert f"{compiler} is g++ 10" in text and "PyTorch needs 11 or later" in text, text


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
@pytest.mark.parametrize("name", ["a$b", "a:b", 'a"b'])
def test_a_path_that_ninja_cannot_read(build, projects, name, tmp_path):
    moved = tmp_path / name / "my_ops"
    shutil.copytree(projects[build], moved)
    assert "PyTorch cannot escape it for ninja -> rename that folder" in refusal(moved, build)


@pytest.mark.parametrize("build", ["jit", "inline"])
def test_a_place_that_cannot_be_written(build, projects, tmp_path):
    (tmp_path / "file").touch()
    text = refusal(
        projects[build], build, TORCH_EXTENSIONS_DIR=str(tmp_path / "file" / "extensions")
    )
    assert (
        "nothing can be written" in text and "set TORCH_EXTENSIONS_DIR to a folder of yours" in text
    )


@pytest.mark.parametrize("missing", ["torch", "setuptools.command.bdist_wheel"])
def test_a_build_without_a_module(missing, tmp_path):
    """`uv build` before `uv sync` finds such a Python."""
    code = f"import runpy, setuptools, sys; sys.modules[{missing!r}] = None; runpy.run_path('setup.py')"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=render(tmp_path / "my_ops"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1 and "Traceback" not in result.stderr, result.stderr
    assert missing in result.stderr and "run `uv sync`" in result.stderr, result.stderr
    assert "-e .`, without -e for a plain install" in result.stderr
