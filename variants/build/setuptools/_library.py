"""Finds the library that setup.py compiled."""

import importlib
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import torch

_PACKAGE = Path(__file__).parent


def library_path() -> str:
    """Return the path of the compiled library.

    With {{ project | upper }}_REBUILD=1 in the environment, what was edited in csrc/ is compiled before.
    """
    if os.environ.get("{{ project | upper }}_REBUILD") == "1":
        _rebuild()
    spec = find_spec("{{ project }}._C")
    if spec is None or spec.origin is None:
        raise ImportError(
            "{{ project }}._C is not compiled yet; in the repository, run "
            "`pip install --no-build-isolation -e .`"
        )
    return spec.origin


def _rebuild() -> None:
    from filelock import FileLock  # 10 ms, which imports without a rebuild need not take

    # Here and not in a process of its own, which would import PyTorch once more, for a second or two.
    repository = _PACKAGE.parent
    if not (repository / "setup.py").exists():
        raise ImportError(
            f"{{ project | upper }}_REBUILD=1, but there is no setup.py next to {_PACKAGE}: unset it, or use "
            "the repository by `pip install --no-build-isolation -e .`"
        )
    (repository / "build").mkdir(exist_ok=True)
    with FileLock(repository / "build" / "rebuild.lock"):
        library = find_spec("{{ project }}._C")
        sources = [repository / "setup.py", *(_PACKAGE / "csrc").rglob("*")]
        edited = max(path.stat().st_mtime_ns for path in sources)
        if library and Path(library.origin).stat().st_mtime_ns > edited:
            return
        if not torch.cuda.is_available():
            # Nothing runs here, and one GPU architecture is compiled sooner than two.
            os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0+PTX")
        directory, arguments = os.getcwd(), sys.argv
        os.chdir(repository)
        sys.argv = ["setup.py", "--quiet", "build_ext", "--inplace"]
        try:
            runpy.run_path("setup.py")
        finally:
            os.chdir(directory)
            sys.argv = arguments
        importlib.invalidate_caches()
