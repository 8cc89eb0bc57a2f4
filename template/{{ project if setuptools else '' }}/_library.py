"""Finds the library that setup.py compiled. Shared code of the template: do not edit."""

import subprocess
import sys
from pathlib import Path

from ._kit.build_log import BuildError
from ._kit.doctor import asked_for
from ._kit.record import find_library, stale

_ROOT = Path(__file__).parents[1]
_NAME = Path(__file__).parent.name
# If this environment variable is 1, an import first compiles the edited files of csrc/.
_SWITCH = f"{_NAME.upper()}_REBUILD"


def library_path() -> str:
    """Return the library's path, if the library fits the sources and this PyTorch."""
    if asked_for(_SWITCH):
        _rebuild()
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())


def _rebuild() -> None:
    """Compile the files that were edited since the last build, in only one process at a time."""
    from filelock import FileLock  # the extra `test` installs it

    if not (_ROOT / "setup.py").exists():
        raise ImportError(
            f"{_SWITCH}=1, but there is no setup.py next to {_ROOT / _NAME}; unset {_SWITCH}"
        )
    (_ROOT / "build").mkdir(exist_ok=True)
    with FileLock(_ROOT / "build" / "rebuild.lock"):
        if reason := stale():
            why = reason.rpartition("; ")[0]
            print(f"{_NAME}: {why}; compiling again", file=sys.stderr)
            command = [sys.executable, "setup.py", "build_ext", "--inplace"]
            build = subprocess.run(
                command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=False
            )
            if build.returncode != 0:  # setup.py prints the error and its fix to stdout
                raise BuildError(build.stdout.strip() or "setup.py fails, see above")
