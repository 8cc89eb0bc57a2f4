"""What the library was compiled from, and whether that is what lies here. setup.py runs this file, too."""

import hashlib
import json
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).parent
_ROOT = _PACKAGE.parent
# Where the compilers' options are.
_FLAGS = "setup.py"
_SWITCH = "MY_OPS_REBUILD=1"
# What mends a library that does not fit: in a repository, and where a wheel is installed.
_REBUILD = f"in {_ROOT}, run `python setup.py build_ext --inplace`, or set {_SWITCH}"
_REINSTALL = "install that PyTorch, or the package that is for this one"
_IN_REPOSITORY = (_ROOT / "pyproject.toml").exists()
REMEDY = _REBUILD if _IN_REPOSITORY else _REINSTALL


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


# Other bindings, and other Pythons, may give it another name.
_NAME = "_C.so"


def find_library() -> Path:
    """Return the path that the compiled library has, or will have."""
    return _PACKAGE / _NAME


def take_record(cuda: bool) -> dict:
    """Return the sources of a library. A file that is saved after this call counts as an edit."""
    torch = _pytorch()
    return {
        "torch": torch["__version__"],
        "cuda": torch["cuda"] if cuda else None,
        "sources": _sources(_ROOT),
    }


def write_record(library: Path, record: dict) -> None:
    """Write, beside a library, what it was compiled from, and delete the libraries that it replaces."""
    _write(_record_path(library), record | {"library": _digest(library)})
    _delete_others(library.parent, library)


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


def _unusable(library: Path) -> str | None:
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
    """Return a sentence that says why the library is not the one of the sources here, or None.

    Args:
        root: The repository whose sources count, which is not where an installed package is.
    """
    library = find_library()
    if not library.exists():
        others = ", ".join(path.name for path in _libraries(library.parent))
        beside = f" ({others} is of other answers, or for another Python)" if others else ""
        if not _IN_REPOSITORY:
            again = f"pip install --force-reinstall --no-deps {_PACKAGE.name}"
            return f"{library} is missing{beside}; run `{again}`"
        if installed := _installed():
            return (
                f"{library} is not compiled yet{beside}, and its folder comes before {installed}, "
                "which is installed; use another folder, or `pytest` for `python -m pytest`, or "
                f"{REMEDY}"
            )
        return f"{library} is not compiled yet{beside}; {REMEDY}"
    sources = _sources(root)
    if not sources:
        return _unusable(library)
    built = _read(_record_path(library))
    if built["library"] != _digest(library):
        return f"it is not known what {library} was compiled from; {REMEDY}"
    changed = _changed(built["sources"], sources)
    names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if changed[3:] else "")
    if changed and not root.samefile(_ROOT):
        return f"{_ROOT} is what is installed, and differs in {names}; install what is here"
    if changed:
        return f"{names} changed after {library} was compiled; {REMEDY}"
    return _unusable(library)


def _installed() -> Path | None:
    """Return the package from a wheel that Python would find in another folder, or None."""
    for folder in map(Path, sys.path):
        package = folder / _PACKAGE.name
        # CMake's editable install leaves a library there, alone.
        whole = (package / "__init__.py").exists() and (package / _NAME).exists()
        if whole and not (folder / "pyproject.toml").exists():
            return package
    return None


def _sources(root: Path) -> dict[str, str]:
    """Return digests of what a library is compiled from, or nothing where a wheel is installed."""
    suffixes = (".h", ".cuh", ".cpp", ".cu")
    csrc = root / "my_ops" / "csrc"
    files = (path for path in csrc.rglob("*") if path.suffix in suffixes)
    paths = sorted([*files, root / _FLAGS])
    if len(paths) == 1 or not (root / _FLAGS).exists():
        return {}
    return {str(path.relative_to(root)): _digest(path) for path in paths}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _delete_others(folder: Path, library: Path) -> None:
    for path in _libraries(folder):
        if not path.samefile(library):
            print(f"deleting {path}, which {library} replaces", file=sys.stderr)
            path.unlink()


def _libraries(folder: Path) -> list[Path]:
    """Return the libraries in a folder, which other answers or another Python may have left there."""
    return sorted(path for path in folder.glob("_C.*") if path.suffix == ".so")


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted({name for name, _ in before.items() ^ after.items()})


def _record_path(library: Path) -> Path:
    return library.with_name(library.name.split(".")[0] + ".json")


def _read(path: Path) -> dict:
    nothing = {"torch": None, "cuda": None, "sources": {}, "library": None}
    try:
        found = nothing | json.loads(path.read_text())
        found["sources"].items()
    except (OSError, ValueError, TypeError, AttributeError):  # none, or no record
        return nothing
    return found


def _write(path: Path, record: dict) -> None:
    new = path.with_suffix(f".{os.getpid()}.json")
    new.write_text(json.dumps(record, indent=2))
    new.replace(path)
