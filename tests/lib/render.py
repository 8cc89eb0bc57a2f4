"""Renders this checkout as a user would, and reads the rendered files."""

from __future__ import annotations

import sys
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import copier
from copier.errors import DirtyLocalWarning

TEMPLATE = Path(__file__).resolve().parents[2]
# The template to render; tests render a copy without git, see conftest.py.
SOURCE = TEMPLATE
# The kit's C++ and CUDA headers, which every project has unchanged.
KIT = TEMPLATE / "template" / "{{ project }}" / "csrc" / "kit"
# The tests that every project has unchanged, in a folder that is called as the project is.
SUITE = TEMPLATE / "template" / "tests" / "{{ project }}_suite"

SOURCES = {".py", ".h", ".cuh"}


@cache
def modules_of_kit() -> dict[str, set[bytes]]:
    """Return the kit's Python files by their paths in a package; a build may have a form of its own."""
    found: dict[str, set[bytes]] = {}
    for package in (TEMPLATE / "template").glob("{{ project*}}"):
        for path in [*package.glob("*.py"), *package.glob("_kit/*.py")]:
            found.setdefault(str(path.relative_to(package)), set()).add(path.read_bytes())
    return found


@cache
def plain_files() -> set[bytes]:
    """Return the contents of the template's source files without Jinja, which a render copies."""
    found = (path for path in (TEMPLATE / "template").rglob("*") if path.suffix in SOURCES)
    return {path.read_bytes() for path in found} - {b""}


def is_of_kit(path: Path) -> bool:
    """Return whether a file of a project is copied unchanged."""
    return path.suffix in SOURCES and path.read_bytes() in plain_files()


def kit_module(name: str, folder: str = "{{ project }}") -> ModuleType:
    """Import a module of the kit from its folder, with the modules of that folder that it imports."""
    package = ModuleType("kit_" + "".join(filter(str.isalnum, folder)))
    package.__path__ = [str(TEMPLATE / "template" / folder)]
    sys.modules.setdefault(package.__name__, package)
    return import_module(f"{package.__name__}.{name}")


def render(
    destination: Path,
    answers: dict[str, object] | None = None,
    *,
    extent: str | None = "full",
    **options,
) -> Path:
    """Render the template's HEAD, uncommitted changes included, and return the destination.

    The default is extent=full, which contains core. None is Enter, or an older release without this question.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirtyLocalWarning)
        copier.run_copy(
            str(options.pop("template", SOURCE)),
            destination,
            data=({"extent": extent} if extent else {}) | (answers or {}),
            defaults=True,
            vcs_ref=options.pop("vcs_ref", "HEAD"),
            unsafe=False,
            quiet=True,
            overwrite=True,
            **options,
        )
    return destination


def files(project: Path) -> dict[str, str]:
    return {
        str(path.relative_to(project)): path.read_text()
        for path in sorted(project.rglob("*"))
        if path.is_file() and path.relative_to(project).parts[0] != ".git"
    }
