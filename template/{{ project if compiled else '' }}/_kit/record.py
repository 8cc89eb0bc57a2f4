"""Finds the library, and tells whether it was compiled from the sources of this repository.

setup.py and CMake run this file by its path. Shared code of the template: do not edit.
"""

import hashlib
import importlib
import json
import os
import runpy
import sys
import sysconfig
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parents[1]
_ROOT = _PACKAGE.parent
_NAME = _PACKAGE.name
_PROJECT = runpy.run_path(str(_PACKAGE / "_project.py"))
_BUILD, _BINDING = _PROJECT["BUILD"], _PROJECT["BINDING"]
# A library for a wheel is in the package. Other libraries are in folders of TORCH_EXTENSIONS_DIR.
_IN_PACKAGE = _PROJECT["COMPILED_WHEELS"]
# The files with the options of compilers.
_OPTIONS = {"setuptools": ["setup.py", f"{_NAME}/_kit/build.py"], "cmake": ["CMakeLists.txt"]}.get(
    _BUILD, [f"{_NAME}/{name}.py" for name in ("_library", "_kit/build", "_kit/extension")]
)
# How to get a library that fits.
REMEDY = {
    "setuptools": f"in {_ROOT}, run `python setup.py build_ext --inplace`, "
    f"or set {_NAME.upper()}_REBUILD=1",
    "cmake": f"in {_ROOT}, run `pip install --no-build-isolation -e .`",
    "jit": "restart Python, which compiles it",
    "inline": "call reload() of _library, or restart Python",
}[_BUILD]
if _IN_PACKAGE and not (_ROOT / "pyproject.toml").exists():
    REMEDY = f"install a wheel for this PyTorch: `pip install --force-reinstall --no-deps {_NAME}`"

if (_BUILD, _BINDING) == ("cmake", "pybind11") and sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError(
        f"{_NAME} is a pybind11 module, which would turn on the GIL of this free-threaded Python "
        f"({sys.executable}): use another one, or run `copier update --data binding=torch_library`"
    )


def _pytorch() -> dict[str, Any]:
    # An import of PyTorch takes a second, so its version is read from a file.
    spec = find_spec("torch")
    if spec is None:
        raise ImportError(
            f"{_NAME} finds no PyTorch: install torch first, and then {_NAME} with "
            "`pip install --no-build-isolation`"
        )
    assert spec.origin
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


def find_library() -> Path:
    """Return the path of the compiled library, which need not exist yet."""
    if not _IN_PACKAGE:
        return importlib.import_module(".extension", __package__).find_library()
    # The library's name depends on the binding, and for a module on the version of Python.
    name = f"_C{EXTENSION_SUFFIXES[0]}" if _BINDING == "pybind11" else "_C.so"
    # CMake's editable install puts the library in site-packages, but leaves this file in the
    # repository.
    spec = find_spec(f"{_NAME}._C") if _BUILD == "cmake" else None
    return Path(spec.origin).with_name(name) if spec and spec.origin else _PACKAGE / name


def _path_of_record(library: Path) -> Path:
    # The name without the tag of a Python version, which only a module's name contains.
    return library.with_name(library.name.partition(".")[0] + ".json")


def take_record(cuda: bool) -> dict[str, Any]:
    """Return PyTorch's version, its CUDA and digests of the sources.

    A file that is saved after this call counts as edited.
    """
    here = _pytorch()
    return {
        "torch": here["__version__"],
        "cuda": here["cuda"] if cuda else None,
        "sources": _sources(_ROOT),
    }


def write_record(library: Path, record: dict[str, Any]) -> None:
    """Write a record of the sources beside the library, and delete other libraries there."""
    record = record | {"library": _digest(library)}
    _path_of_record(library).write_text(json.dumps(record, indent=2))
    for other in library.parent.glob("_C.*so"):
        if not other.samefile(library):
            other.unlink()


def prepare(objects: Path, record: dict[str, Any]) -> None:
    """Let ninja compile the files whose contents changed, although it compares times.

    If a source was written again with equal contents, as by an update, restore its earlier time.

    ninja does not compile a changed source that is older than its object file, for example if it
    was saved while the compiler ran, or copied with its earlier time stamp. So delete all object
    files that are not older than the oldest changed source, and all if PyTorch is another.
    """
    objects.mkdir(parents=True, exist_ok=True)
    path = objects / "compiling.json"
    before = _read(path)
    for name, time in before["times"].items():
        if record["sources"].get(name) == before["sources"][name]:
            with suppress(OSError):  # the file belongs to another user, and is compiled again
                os.utime(_ROOT / name, ns=(time, time))
    changed = [_ROOT / name for name in _changed(before["sources"], record["sources"])]
    saved = min((x.stat().st_mtime_ns for x in changed if x.exists()), default=float("inf"))
    for file in objects.rglob("*.o"):
        if before["torch"] != record["torch"] or saved <= file.stat().st_mtime_ns:
            file.unlink()
    # If the compiler fails, the next build needs the times of the unchanged sources.
    same = record["sources"].items() & before["sources"].items()
    times = {name: time for name, time in before["times"].items() if name in dict(same)}
    path.write_text(json.dumps(record | {"times": times}, indent=2))


def finish(objects: Path, record: dict[str, Any]) -> None:
    """Record the times of the compiled sources that have not changed since, for `prepare`."""
    paths = {name: _ROOT / name for name in record["sources"]}
    same = {x: y for x, y in paths.items() if y.exists() and _digest(y) == record["sources"][x]}
    times = {name: path.stat().st_mtime_ns for name, path in same.items()}
    (objects / "compiling.json").write_text(json.dumps(record | {"times": times}, indent=2))


def stale(root: Path = _ROOT) -> str | None:
    """Return why the library does not fit the repository and this PyTorch, or None."""
    library = find_library()
    if not library.exists():
        if installed := _installed(library.name):
            return (
                f"{library} is missing, and its folder precedes {installed} on sys.path; start "
                f"Python in another folder, or use `pytest`, not `python -m pytest`, or {REMEDY}"
            )
        return f"{library} is missing; {REMEDY}"
    sources, built = _sources(root), _read(_path_of_record(library))
    if sources and built["library"] != _digest(library):
        return f"it is not known what {library} was compiled from; {REMEDY}"
    if changed := sources and _changed(built["sources"], sources):
        names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if changed[3:] else "")
        if not root.samefile(_ROOT):
            return (
                f"the installed package is in {_ROOT}, and differs in {names}; "
                f"install the one in {root}"
            )
        return f"{names} changed after {library} was compiled; {REMEDY}"
    here = _pytorch()
    if _BINDING == "torch_stable":  # such a library serves every PyTorch of one CUDA major version
        major = built["cuda"] and built["cuda"].split(".")[0]
        if major and major != (here["cuda"] or "no").split(".")[0]:
            return (
                f"{library} was compiled for CUDA {built['cuda']}, but PyTorch "
                f"{here['__version__']} has "
                f"{'CUDA ' + here['cuda'] if here['cuda'] else 'no CUDA'}; {REMEDY}"
            )
    elif built["torch"] not in (None, here["__version__"]):
        return (
            f"{library} was compiled for PyTorch {built['torch']}, but this is "
            f"PyTorch {here['__version__']}; {REMEDY}"
        )
    return None


def _installed(library: str) -> Path | None:
    """Return the package of a wheel that is installed in another folder, or None."""
    for folder in map(Path, sys.path):
        package = folder / _NAME
        # CMake's editable install leaves only a library in this folder.
        whole = (package / "__init__.py").exists() and (package / library).exists()
        if whole and not (folder / "pyproject.toml").exists():
            return package
    return None


def _sources(root: Path) -> dict[str, str]:
    """Return digests of the library's sources; an installed wheel has none."""
    options = [root / name for name in _OPTIONS]
    files = [*(root / _NAME / "csrc").rglob("*")]
    files = [path for path in files if path.suffix in (".h", ".cuh", ".cpp", ".cu")]
    if not files or not options[0].exists():
        return {}
    return {str(path.relative_to(root)): _digest(path) for path in sorted([*files, *options])}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted({name for name, _ in before.items() ^ after.items()})


def _read(path: Path) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(["torch", "cuda", "library"])
    nothing |= {"sources": {}, "times": {}}
    try:
        return nothing | json.loads(path.read_text())
    except (OSError, ValueError, TypeError):  # the file is missing, or is not a record
        return nothing


# ---- What CMake and scikit-build-core call


def dynamic_metadata(settings: dict[str, Any], project: dict[str, Any]) -> dict[str, Any]:
    """Return the requirement of a wheel: the PyTorch that it is compiled for."""
    return {"dependencies": [f"torch=={_pytorch()['__version__'].partition('+')[0]}"]}


def dynamic_wheel(settings: dict[str, Any]) -> dict[str, Any]:
    """Declare that the requirements of a wheel may differ from those in the source distribution."""
    return {"dependencies": True}


def _main(step: str, build: str, library_or_cuda: str = "") -> None:
    """Run a step of a CMake build: before or after the compiler, or after the installation."""
    taken = Path(build, "record.json")
    if step == "prepare":
        prepare(Path(build, "CMakeFiles"), take_record(cuda=False))
    elif step == "finish":
        finish(Path(build, "CMakeFiles"), _read(taken))
    elif step == "take":
        taken.write_text(json.dumps(take_record(cuda=bool(library_or_cuda))))
    else:
        library = Path(library_or_cuda)
        write_record(library, _read(taken))
        for other in _PACKAGE.glob("_C.*so"):  # of an earlier build by setup.py
            if not other.samefile(library):
                other.unlink()


if __name__ == "__main__":
    _main(*sys.argv[1:])
