"""Finds the library that setup.py compiled."""

import os
import subprocess
import sys
from pathlib import Path

import torch

from ._build import find_library, stale
from ._build_log import BuildError
from .doctor import asked_for

_PACKAGE = Path(__file__).parent
_REBUILD = "MY_OPS_REBUILD"


def library_path() -> str:
    """Return the path of the compiled library.

    With MY_OPS_REBUILD=1 in the environment, what was edited in csrc/ is compiled before.

    Raises:
        ImportError: There is no library of the sources beside this file, or it does not fit
            PyTorch.
        BuildError: What was edited does not compile.
        Finding: The variable has another value.
    """
    if asked_for(_REBUILD):
        _rebuild()
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())


def _rebuild() -> None:
    """Compile what was edited since the library was made, one process at a time."""
    from filelock import FileLock  # 10 ms, which imports without a rebuild need not take

    repository = _PACKAGE.parent
    if not (repository / "setup.py").exists():
        raise ImportError(
            f"{_REBUILD}=1, but there is no setup.py next to {_PACKAGE}: unset it, or use "
            "the repository by `pip install --no-build-isolation -e .`"
        )
    (repository / "build").mkdir(exist_ok=True)
    with FileLock(repository / "build" / "rebuild.lock"):
        if stale() is None:
            return
        environment = dict(os.environ)
        if not torch.cuda.is_available():
            # No GPU code runs here, and one architecture of GPUs is compiled sooner than two.
            environment.setdefault("TORCH_CUDA_ARCH_LIST", "8.0+PTX")
        print("my_ops: compiling what was edited", file=sys.stderr)
        if sys.stderr.isatty():
            environment.setdefault("CLICOLOR_FORCE", "1")
        build = subprocess.Popen(
            [sys.executable, "setup.py", "build_ext", "--inplace"],
            cwd=repository,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        last = ""  # setup.py ends with what there is to mend, which the error says
        with build:
            for line in build.stdout:
                print(last, end="", file=sys.stderr, flush=True)
                last = line
        if build.returncode != 0:
            raise BuildError(last.rstrip())
        print(last, end="", file=sys.stderr)
