"""What the library was compiled from, and whether that is what lies here. setup.py runs this file, too."""

import hashlib
import json
import os
import runpy
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent
_ROOT = _PACKAGE.parent
# Where the compilers' options are.
_FLAGS = "setup.py"
_SWITCH = "MY_OPS_REBUILD"
# What mends a library that does not fit: in a repository, and where a wheel is installed.
REMEDY = f"in {_ROOT}, run `python setup.py build_ext --inplace`, or set {_SWITCH}=1"
if not (_ROOT / "pyproject.toml").exists():
    _wheel = "my_ops"
    REMEDY = f"run `pip install --force-reinstall --no-deps {_wheel}`, of a wheel for this PyTorch"


def _pytorch() -> dict[str, Any]:
    # To import PyTorch takes a second, and not everybody who asks has.
    spec = find_spec("torch")
    assert spec and spec.origin
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


def find_library() -> Path:
    """Return the path that the compiled library has, or will have."""
    return _PACKAGE / "_C.so"


def take_record(cuda: bool) -> dict[str, Any]:
    """Return the sources of a library. A file that is saved after this call counts as an edit."""
    here = _pytorch()
    return {
        "torch": here["__version__"],
        "cuda": here["cuda"] if cuda else None,
        "sources": _sources(_ROOT),
    }


def write_record(library: Path, record: dict[str, Any]) -> None:
    """Write, beside a library, what it was compiled from, and delete those of other bindings or Pythons."""
    record = record | {"library": _digest(library)}
    library.with_suffix(".json").write_text(json.dumps(record, indent=2))
    for other in library.parent.glob("_C.*so"):
        if not other.samefile(library):
            other.unlink()


def prepare(objects: Path, record: dict[str, Any]) -> None:
    """Let contents decide what ninja, which compares times, compiles again.

    A file that was written again with the contents that it had, as by an update, gets its time back.
    Then the object files that ninja would wrongly keep are deleted.

    Such are those that are newer than a file with other contents than they were compiled from: it
    was saved while the compiler ran, or copied with its time stamp. Those of another PyTorch go, too.
    """
    objects.mkdir(parents=True, exist_ok=True)
    path = objects / "compiling.json"
    before = _read(path)
    for name, time in before["times"].items():
        if record["sources"].get(name) == before["sources"][name]:
            with suppress(OSError):  # of another owner: it is compiled again
                os.utime(_ROOT / name, ns=(time, time))
    changed = [_ROOT / name for name in _changed(before["sources"], record["sources"])]
    saved = min((x.stat().st_mtime_ns for x in changed if x.exists()), default=float("inf"))
    for file in objects.rglob("*.o"):
        if before["torch"] != record["torch"] or saved <= file.stat().st_mtime_ns:
            file.unlink()
    path.write_text(json.dumps(record, indent=2))


def finish(objects: Path, record: dict[str, Any]) -> None:
    """Write down the times of the sources that object files were compiled from, for `prepare`."""
    paths = {name: _ROOT / name for name in record["sources"]}
    same = {x: y for x, y in paths.items() if y.exists() and _digest(y) == record["sources"][x]}
    times = {name: path.stat().st_mtime_ns for name, path in same.items()}
    (objects / "compiling.json").write_text(json.dumps(record | {"times": times}, indent=2))


def stale(root: Path = _ROOT) -> str | None:
    """Return a sentence that says why the library is not the one of a repository's sources, or None."""
    library = find_library()
    if not library.exists():
        if installed := _installed():
            return (
                f"{library} is missing, and its folder comes before {installed}, which is installed; "
                f"use another folder, or `pytest` for `python -m pytest`, or {REMEDY}"
            )
        return f"{library} is missing; {REMEDY}"
    sources, built = _sources(root), _read(library.with_suffix(".json"))
    if sources and built["library"] != _digest(library):
        return f"it is not known what {library} was compiled from; {REMEDY}"
    if changed := sources and _changed(built["sources"], sources):
        names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if changed[3:] else "")
        if not root.samefile(_ROOT):
            return f"{_ROOT} is what is installed, and differs in {names}; install what is here"
        return f"{names} changed after {library} was compiled; {REMEDY}"
    here = _pytorch()
    if built["torch"] not in (None, here["__version__"]):
        return (
            f"{library} was compiled for PyTorch {built['torch']}, but this is "
            f"PyTorch {here['__version__']}; {REMEDY}"
        )
    return None


def _installed() -> Path | None:
    """Return the package from a wheel that Python would find in another folder, or None."""
    for folder in map(Path, sys.path):
        package = folder / _PACKAGE.name
        # CMake's editable install leaves a library there, alone.
        whole = (package / "__init__.py").exists() and (package / find_library().name).exists()
        if whole and not (folder / "pyproject.toml").exists():
            return package
    return None


def _sources(root: Path) -> dict[str, str]:
    """Return digests of what a library is compiled from, or nothing where a wheel is installed."""
    flags = root / _FLAGS
    csrc = root / "my_ops" / "csrc"
    files = [path for path in csrc.rglob("*") if path.suffix in (".h", ".cuh", ".cpp", ".cu")]
    if not files or not flags.exists():
        return {}
    return {str(path.relative_to(root)): _digest(path) for path in sorted([*files, flags])}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted({name for name, _ in before.items() ^ after.items()})


def _read(path: Path) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(["torch", "cuda", "library"])
    nothing |= {"sources": {}, "times": {}}
    try:
        return nothing | json.loads(path.read_text())
    except (OSError, ValueError, TypeError):  # none, or no record
        return nothing


def library_path() -> str:
    """Return the path of the library; refuse one that is not of the sources here, or not for this PyTorch."""
    from .doctor import asked_for  # not at the top, since setup.py runs this file as it is

    # With MY_OPS_REBUILD=1 in the environment, what was edited in csrc/ is compiled first.
    if asked_for(_SWITCH):
        _rebuild()
    if reason := stale():
        raise ImportError(reason)
    return str(find_library())


def _rebuild() -> None:
    """Compile what was edited since the library was made, one process at a time."""
    from filelock import FileLock

    from ._build_log import BuildError

    if not (_ROOT / _FLAGS).exists():
        raise ImportError(f"{_SWITCH}=1, but there is no {_FLAGS} next to {_PACKAGE}; unset it")
    (_ROOT / "build").mkdir(exist_ok=True)
    with FileLock(_ROOT / "build" / "rebuild.lock"):
        if reason := stale():
            said = reason.rpartition("; ")[0]
            print(f"{_PACKAGE.name}: {said}, and is compiled", file=sys.stderr)
            command = [sys.executable, _FLAGS, "build_ext", "--inplace"]
            build = subprocess.run(
                command,
                cwd=_ROOT,
                stdout=subprocess.PIPE,
                text=True,
                check=False,
            )
            if build.returncode != 0:  # setup.py ends with what there is to mend
                raise BuildError(build.stdout.strip() or f"{_FLAGS} fails, see above")
