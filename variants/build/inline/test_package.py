"""The package in a fresh interpreter, and in a notebook."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import {{ project }}

NOTEBOOK = Path(__file__).parents[1] / "examples" / "edit_and_reload.ipynb"


def test_import_in_a_fresh_interpreter():
    found = find_spec("{{ project }}").origin
    place = Path(found).parents[1]  # not always this repository
    subprocess.run(‹[sys.executable, "-c", "import {{ project }}"], cwd=place, check=True›)


def test_notebook_runs(tmp_path, monkeypatch):
    """Uses a copy of the package, because the notebook edits a header."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    package = Path({{ project }}.__file__).parent
    shutil.copytree(package, tmp_path / package.name)
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "extensions"))
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    # ipykernel deletes the first entry of sys.path: the working directory or, with this, the copy.
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    headers = list(package.rglob("*.h"))
    saved = [path.stat().st_mtime_ns for path in headers]
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=600).execute(cwd=tmp_path)
    assert [path.stat().st_mtime_ns for path in headers] == saved
