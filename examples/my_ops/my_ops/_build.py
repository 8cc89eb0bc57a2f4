"""What the library was compiled from, and whether that is what lies here. setup.py runs this file, too."""

import hashlib
import json
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).parents[1]
# Where the compilers' options are.
_FLAGS = "setup.py"
# What mends a library that does not fit: in a repository, and where a wheel is installed.
_REBUILD = "run `python setup.py build_ext --inplace`"
_REINSTALL = "install that PyTorch, or the package that is for this one"
REMEDY = _REBUILD if (_ROOT / "pyproject.toml").exists() else _REINSTALL


def _pytorch() -> dict:
    # To import PyTorch takes a second, and not everybody who asks has.
    spec = find_spec("torch")
    if spec is None:
        raise ImportError(
            "my_ops finds no PyTorch: install torch first, and then my_ops with "
            "`pip install --no-build-isolation`"
        )
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


_version = _pytorch()["__version__"]
if tuple(map(int, _version.split(".")[:2])) < (2, 10) or sys.version_info < (3, 10):
    raise ImportError(
        "my_ops needs PyTorch 2.10 and Python 3.10, or later ones, but this is PyTorch "
        f"{_version} with Python {sys.version.split()[0]}: run `pip install --upgrade torch`"
    )


def find_library() -> Path | None:
    """Return the path of the compiled library, or None."""
    spec = find_spec("my_ops._C")
    return Path(spec.origin) if spec and spec.origin else None


def take_record(cuda: bool) -> dict:
    """Return what a library is compiled from. What is saved after this call counts as an edit."""
    torch = _pytorch()
    return {
        "torch": torch["__version__"],
        "cuda": torch["cuda"] if cuda else None,
        "sources": _sources(_ROOT),
    }


def write_record(library: Path, record: dict) -> None:
    """Write, beside a library, what it was compiled from."""
    _write(_record_path(library), record | {"library": _digest(library)})


def prepare(objects: Path, record: dict) -> None:
    """Delete the object files in a folder that ninja, which goes by times, would wrongly keep.

    Such are those that are newer than a file with other contents than they were compiled from: it
    was saved while the compiler ran, or copied with its time stamp. PyTorch's headers may be, too.
    """
    objects.mkdir(parents=True, exist_ok=True)
    path = objects / "compiling.json"
    before = _read(path)
    changed = [_ROOT / name for name in _changed(before["sources"], record["sources"])]
    times = [source.stat().st_mtime_ns for source in changed if source.exists()]
    for file in objects.rglob("*.o"):
        made = file.stat().st_mtime_ns
        if before["torch"] != record["torch"] or any(saved <= made for saved in times):
            file.unlink()
    _write(path, record)


def unusable(library: Path) -> str | None:
    """Return a sentence that says why PyTorch cannot load a library, or None."""
    built = _read(_record_path(library))
    here = _pytorch()
    if built["torch"] not in (None, here["__version__"]):
        return (
            f"{library} was compiled for PyTorch {built['torch']}, but this is "
            f"PyTorch {here['__version__']}; {REMEDY}"
        )
    return None


def stale(root: Path = _ROOT) -> str | None:
    """Return a sentence that says why the library is not that of the sources here, or None.

    Args:
        root: The repository whose sources count, which differs from that of an installed package.
    """
    library = find_library()
    if library is None or not library.exists():
        package = "my_ops"
        return f"{package} is not compiled yet; {REMEDY}"
    built = _read(_record_path(library))
    if built["library"] != _digest(library):
        return f"it is not known what {library} was compiled from; {REMEDY}"
    # Where a wheel is installed, there may be no sources.
    changed = ", ".join(_changed(built["sources"], _sources(root) or built["sources"]))
    if changed and not root.samefile(_ROOT):
        return f"{_ROOT} is what is installed, and differs in {changed}; install what is here"
    if changed:
        return f"{changed} changed after {library} was compiled; {REMEDY}"
    return unusable(library)


def _sources(root: Path) -> dict[str, str]:
    suffixes = (".h", ".cuh", ".cpp", ".cu")
    csrc = root / "my_ops" / "csrc"
    files = (path for path in csrc.rglob("*") if path.suffix in suffixes)
    paths = [*files, root / _FLAGS]
    return {str(path.relative_to(root)): _digest(path) for path in sorted(paths) if path.exists()}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted({name for name, _ in before.items() ^ after.items()})


def _record_path(library: Path) -> Path:
    return library.with_name(library.name.split(".")[0] + ".json")


def _read(path: Path) -> dict:
    nothing = {"torch": None, "cuda": None, "sources": {}, "library": None}
    try:
        return nothing | json.loads(path.read_text())
    except (OSError, ValueError):
        return nothing


def _write(path: Path, record: dict) -> None:
    new = path.with_suffix(f".{os.getpid()}.json")
    new.write_text(json.dumps(record, indent=2))
    new.replace(path)
