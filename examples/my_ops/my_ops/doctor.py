"""Says what my_ops needs to be compiled and to run, what of it is wrong here, and what mends it.

python -m my_ops.doctor                what is here; the exit status is 1 if something is wrong
python -m my_ops.doctor --nvcc         what pip has to install for the nvcc of PyTorch's CUDA
python -m my_ops.doctor --cuda-home    the CUDA_HOME of that nvcc

It runs without PyTorch and without the library.
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.name


class Finding(Exception):
    """What is wrong, and what mends it."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__(f"\n{'':12}-> ".join([problem, *remedies]))


def asked_for(variable: str) -> bool:
    """Whether an environment variable is 1. What is neither 1 nor 0, such as "true", is refused."""
    given = os.environ.get(variable, "")
    if given not in ("", "0", "1"):
        problem = f"{variable} is {given!r}, and neither 1 nor 0"
        raise Finding(problem, f"export {variable}=1", f"or unset {variable}")
    return given == "1"


def ran(*command: str, seconds: int = 60, folder: str = ".") -> tuple[int, str]:
    """Return the exit status of a command and what it prints; -1 and why, if it did not run to its end."""
    try:
        run = subprocess.run(command, capture_output=True, timeout=seconds, cwd=folder, check=False)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return -1, str(error)
    return run.returncode, (run.stdout + run.stderr).decode(errors="replace")


def says(text: str, line: int = 0) -> str:
    """Return what a program says first, or in another line, to end a sentence with."""
    lines = text.strip().splitlines()
    return f": {lines[line]}" if lines else ""


def pytorch_facts() -> dict[str, Any]:
    """Return what torch/version.py says, also where PyTorch cannot be imported; nothing without it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


def require_versions() -> str:
    """Return the version of PyTorch, unless it is missing or too old."""
    version = str(pytorch_facts().get("__version__", ""))
    if not version:
        raise Finding(f"{sys.executable} finds no PyTorch", "pip install torch")
    if tuple(map(int, version.split(".")[:2])) < (2, 10):
        problem = f"PyTorch {version} is too old: {PACKAGE} needs 2.10 and Python 3.10, or later"
        raise Finding(problem, "pip install --upgrade torch")
    return version


def pytorch() -> str:
    version, cuda = require_versions(), pytorch_facts().get("cuda")
    gpu = "torch.cuda.get_device_name() if torch.cuda.is_available() else 'none'"
    status, text = ran(sys.executable, "-c", f"import torch; print('GPU:', {gpu})")
    if status != 0:
        problem = f"PyTorch {version} is installed, but cannot be imported{says(text, -1)}"
        raise Finding(problem, "pip install --force-reinstall torch")
    # PyTorch warns of a GPU, or a driver, that it cannot use.
    warning = re.search(r"Warning: (.*\bCUDA\b.*)", text)
    if warning:
        remedy = "a newer driver, or another PyTorch, https://pytorch.org/get-started/locally"
        raise Finding(f"PyTorch {version} cannot use the GPU: {warning[1]}", remedy)
    gpu = "".join(re.findall("GPU: .+", text))
    return f"PyTorch {version}, CUDA: {cuda or 'none'}, {gpu}, {sys.executable}"


def compiler() -> str:
    name = os.environ.get("CXX") or "c++"
    path = shutil.which(name)
    if path is None:
        problem = f"there is no C++ compiler {name}"
        way = "or export CXX=PATH_OF_A_COMPILER, one word: a script, if there are options"
        raise Finding(problem, "apt install g++", way)
    status, text = ran(path, "--version")
    if status != 0:
        raise Finding(f"{name} does not run{says(text)}", f"{path} --version")
    gcc = re.match(r".* (\d+)\.\d.*\n.*Free Software", text)
    if gcc and int(gcc[1]) < 11:
        raise Finding(
            f"{path} is g++ {gcc[1]}, and PyTorch needs 11 or later",
            "apt install g++-12 && export CC=gcc-12 CXX=g++-12 CUDAHOSTCXX=g++-12",
        )
    return f"{text.partition(chr(10))[0]}, {path}"


def ways_to_nvcc(cuda: str) -> list[str]:
    """Say how there comes to be an nvcc of a CUDA version: PyPI has it from 13.0 on."""
    ways = [
        f"python -m {PACKAGE}.doctor --nvcc | xargs -r pip install",
        f"export CUDA_HOME=$(python -m {PACKAGE}.doctor --cuda-home)",
    ]
    if int(cuda.split(".")[0]) < 13:
        archive = "https://developer.nvidia.com/cuda-toolkit-archive"
        ways = [f"install the CUDA {cuda} toolkit, {archive}, and export CUDA_HOME=its folder"]
    return [*ways, "or, for the CPU code alone: export CPU_ONLY=1"]


def nvcc_of_pip(question: str) -> str:
    """Return what pip installs an nvcc of PyTorch's CUDA from, or the CUDA_HOME that this makes."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        raise Finding("There is no PyTorch with CUDA here, so no nvcc is needed.")
    if int(cuda.split(".")[0]) < 13:
        raise Finding(f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}")
    if question == "--nvcc":
        # All of one version: pip would combine nvcc with newer parts of it, which ptxas refuses.
        parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
        return "\n".join(f"{part}=={cuda}.*" for part in parts)
    spec = importlib.util.find_spec("nvidia")
    folders = (spec and spec.submodule_search_locations) or []
    home = next((path.parents[1] for x in folders for path in Path(x).glob("cu*/bin/nvcc")), None)
    if home is None:
        raise Finding(f"pip installed no nvcc: {ways_to_nvcc(cuda)[0]}")
    # The names that linkers look for.
    libraries = sorted(path.name for path in home.glob("lib/libcudart.so.*"))
    for link, target in [("lib64", "lib"), *(("lib/libcudart.so", x) for x in libraries[-1:])]:
        if not os.path.lexists(home / link):
            (home / link).symlink_to(target)
    return str(home)


def fitting_nvcc(cuda: str) -> str:
    """Return which nvcc the build takes, by the rule of torch.utils.cpp_extension, if it fits PyTorch's CUDA."""
    on_path = shutil.which("nvcc")
    given = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    home = Path(given or (on_path and Path(on_path).parents[1]) or "/usr/local/cuda")
    path = home / "bin" / "nvcc"
    if not path.exists():
        raise Finding(f"PyTorch has CUDA {cuda}, but there is no {path}", *ways_to_nvcc(cuda))
    _, text = ran(str(path), "--version")
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release is None:
        raise Finding(f"{path} does not run{says(text)}", f"{path} --version", *ways_to_nvcc(cuda))
    if release[2] != cuda.split(".")[0]:
        problem = f"PyTorch has CUDA {cuda}, but {path} is of CUDA {release[1]}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return f"nvcc {release[1]}, {path}"


def nvcc() -> str | None:
    if asked_for("CPU_ONLY"):
        return "not needed: CPU_ONLY=1"
    cuda = pytorch_facts().get("cuda")
    return fitting_nvcc(cuda) if cuda else None


def library() -> str:
    from ._library import find_library, stale

    reason = stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    return str(find_library())


def imports() -> str:
    """Import the package in a process of its own, since what does not fit PyTorch may end it."""
    command = [sys.executable, "-c", f"import {PACKAGE}"]
    status, text = ran(*command, seconds=3600)
    if status != 0:
        error = says(text, -1) or f": it ends with status {status}"
        reason = error[2:].partition(" (`python -m")[0].rpartition("BuildError: ")[2]
        raise Finding(f"`import {PACKAGE}` fails: {reason}", REBUILD)
    # In this folder Python finds the package in any case, elsewhere if it is installed.
    found = f"from importlib.util import find_spec; assert find_spec('{PACKAGE}')"
    status, _ = ran(sys.executable, "-c", found, folder=os.sep)
    install = "pip install --no-build-isolation -e ."
    return f"`import {PACKAGE}` works{f', in this folder alone: {install}' if status else ''}"


REBUILD = "python setup.py build_ext --inplace"
# Where there is no repository, the library came in a wheel, and no compiler is needed.
IN_REPOSITORY = Path(__file__).parents[1].joinpath("pyproject.toml").exists()
FOR_COMPILING = [compiler, nvcc]
LAST = [library, imports]
CHECKS = [pytorch, *(FOR_COMPILING if IN_REPOSITORY else []), *LAST]


def report() -> int:
    """Print what is here and what is wrong, and return the exit status."""
    wrong = False
    for check in CHECKS:
        try:
            line = check()
        except Exception as error:  # noqa: BLE001, as programs and files may say anything
            if check in LAST and wrong:
                continue  # it only says the same in other words
            wrong, line = True, f"WRONG: {error if isinstance(error, Finding) else repr(error)}"
        if line:
            print(f"{check.__name__:12}{line}", flush=True)
    return int(wrong)


def main(arguments: list[str]) -> str | int | None:
    """Return the exit status, or why there is nothing to print."""
    if not arguments:
        return report()
    if arguments not in (["--nvcc"], ["--cuda-home"]):
        return __doc__
    try:
        return print(nvcc_of_pip(*arguments))
    except Finding as finding:
        return str(finding)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
