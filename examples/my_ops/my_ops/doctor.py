"""Says what my_ops needs to be compiled, and what mends it.

python -m my_ops.doctor --nvcc    what pip has to install for the nvcc of PyTorch's CUDA

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


def compiler() -> str:
    name = os.environ.get("CXX") or "c++"
    path = shutil.which(name)
    if path is None:
        problem = f"there is no C++ compiler {name}"
        way = "or export CXX=PATH_OF_A_COMPILER, one word: a script, if there are options"
        raise Finding(problem, "apt install g++", way)
    return path


def ways_to_nvcc(cuda: str) -> list[str]:
    """Return commands that install an nvcc of a CUDA version: PyPI has it from 13.0 on."""
    given = [x for x in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(x)]
    unset = f"unset {' '.join(given)} && " if given else ""
    way = f"{unset}python -m {PACKAGE}.doctor --nvcc | xargs -r pip install"
    if int(cuda.split(".")[0]) < 13:
        archive = "https://developer.nvidia.com/cuda-toolkit-archive"
        way = f"install the CUDA {cuda} toolkit, {archive}, and export CUDA_HOME=its folder"
    return [way, "or, for the CPU code alone: export CPU_ONLY=1"]


def nvcc_of_pip() -> str:
    """Return what pip installs an nvcc of PyTorch's CUDA from."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        raise SystemExit("There is no PyTorch with CUDA here, so no nvcc is needed.")
    if int(cuda.split(".")[0]) < 13:
        raise SystemExit(f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}")
    # All of one version: pip would combine nvcc with newer parts of it, which ptxas refuses.
    parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
    return "\n".join(f"{part}=={cuda}.*" for part in parts)


def toolkit(cuda: str) -> Path:
    """Return the CUDA toolkit to compile with. PATH's, often of another CUDA, comes after pip's."""
    given = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    major = cuda.split(".")[0]
    of_pip = [Path(folder, "nvidia", f"cu{major}").resolve() for folder in sys.path]
    others = [*(Path(folder).parent for folder in os.get_exec_path()), Path("/usr/local/cuda")]
    found = (x for x in of_pip + others if os.access(x / "bin" / "nvcc", os.X_OK))
    home = Path(given) if given else next(found, others[-1])
    # The names that linkers look for, which pip's packages lack.
    for link, target in [("lib64", "lib"), ("lib/libcudart.so", f"libcudart.so.{major}")]:
        if home.resolve() in of_pip and not os.path.lexists(home / link):
            try:
                (home / link).symlink_to(target)
            except OSError as error:
                problem = f"linkers look for {home / link}, which cannot be made: {error.strerror}"
                raise Finding(problem, f"as its owner: ln -s {target} '{home / link}'") from None
    return home


def fitting_nvcc(cuda: str) -> Path:
    """Return the nvcc to compile with, if it fits PyTorch's CUDA."""
    home = toolkit(cuda)
    path = home / "bin" / "nvcc"
    if not path.exists():
        raise Finding(f"there is no nvcc for PyTorch's CUDA {cuda}: no {path}", *ways_to_nvcc(cuda))
    # A script on PATH that calls nvcc is in no toolkit, and PyTorch needs one. Conda has targets/.
    if not [x for y in ("", "targets/*/") for x in home.glob(f"{y}include/cuda_runtime.h")]:
        problem = f"{path} is not in a CUDA toolkit: there is no {home}/include/cuda_runtime.h"
        raise Finding(problem, "export CUDA_HOME=FOLDER_OF_THE_TOOLKIT", *ways_to_nvcc(cuda))
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release is None:
        raise Finding(f"{path} does not run", f"{path} --version", *ways_to_nvcc(cuda))
    if release[2] != cuda.split(".")[0]:
        problem = f"PyTorch has CUDA {cuda}, but {path} is of CUDA {release[1]}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return path


if __name__ == "__main__":
    if sys.argv[1:] == ["--nvcc"]:
        print(nvcc_of_pip())
    else:
        sys.exit(__doc__)
