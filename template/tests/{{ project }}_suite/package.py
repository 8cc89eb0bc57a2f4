"""The tests of a package: in a fresh interpreter, in a notebook, and with NVRTC without a GPU."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from .common import PACKAGE, PROJECT, only_with

NOTEBOOK = Path(__file__).parents[2] / "examples" / "edit_and_reload.ipynb"
# The operators that NVRTC compiles when a GPU first needs them.
OPS = [*import_module(f"{PACKAGE}._kit.bindings").OPS] if PROJECT.BUILD == "nvrtc" else []


class Package:
    has_notebook = PROJECT.BUILD == "inline"
    uses_nvrtc = PROJECT.BUILD == "nvrtc"

    def test_import_in_a_fresh_interpreter(self):
        place = Path(find_spec(PACKAGE).origin).parents[1]  # not always this repository
        subprocess.run([sys.executable, "-c", f"import {PACKAGE}"], cwd=place, check=True)

    @only_with("has_notebook")
    def test_notebook_runs(self, tmp_path, monkeypatch):
        """Uses a copy of the package, because the notebook edits a header."""
        nbformat = pytest.importorskip("nbformat")
        nbclient = pytest.importorskip("nbclient")
        pytest.importorskip("ipykernel")
        package = Path(find_spec(PACKAGE).origin).parent
        shutil.copytree(package, tmp_path / package.name)
        monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "extensions"))
        paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
        # ipykernel deletes the first entry of sys.path. With PYTHONSAFEPATH, that is the copy.
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        headers = list(package.rglob("*.h"))
        saved = [path.stat().st_mtime_ns for path in headers]
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        nbclient.NotebookClient(notebook, timeout=600).execute(cwd=tmp_path)
        assert [path.stat().st_mtime_ns for path in headers] == saved

    # ---- NVRTC

    @pytest.fixture
    def library(self):
        pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC comes with PyTorch for CUDA")
        return pytest.importorskip(f"{PACKAGE}._library")

    @only_with("uses_nvrtc")
    @pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
    @pytest.mark.parametrize("op", OPS)
    def test_compiles_without_a_gpu(self, op, arch, library):
        compiled = library.compile_cubin(op, arch)
        assert compiled.symbol_mapping.keys() == set(library.kernel_names(op))
        for name in library.kernel_names(op):
            assert compiled.symbol_mapping[name] in compiled.code

    @only_with("uses_nvrtc")
    @pytest.mark.parametrize("op", OPS)
    def test_compile_error_shows_the_log(self, op, monkeypatch, library):
        monkeypatch.setattr(library, "_source", lambda op: "__global__ void f() { missing(); }")
        with pytest.raises(
            RuntimeError, match=rf'{op}_cuda.cu\(1\): error: .* "missing" is undefined'
        ):
            library.compile_cubin(op, "sm_90")

    @only_with("uses_nvrtc")
    @pytest.mark.parametrize("op", OPS)
    def test_compiles_once(self, op, monkeypatch, tmp_path, library):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        first = library.load(op, "sm_90")
        monkeypatch.setattr(library, "compile_cubin", None)
        second = library.load(op, "sm_90")
        assert second.code == first.code
        assert second.symbol_mapping == first.symbol_mapping
        monkeypatch.setattr(library, "_headers_digest", lambda: b"edited")
        with pytest.raises(TypeError):
            library.load(op, "sm_90")

    @only_with("uses_nvrtc")
    @pytest.mark.parametrize("op", OPS)
    def test_writes_through_no_link(self, op, monkeypatch, tmp_path, library):
        """A temporary file, named after the process id, may already exist as a link."""
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        library.load(op, "sm_90")
        (entry,) = tmp_path.glob(f"cache/{PACKAGE}/*")
        assert {path.stat().st_mode & 0o777 for path in (entry.parent, entry.parents[1])} == {0o700}
        mine = tmp_path / "mine"
        mine.write_text("not to be written")
        entry.unlink()
        for name in (entry, entry.with_suffix(f".{os.getpid()}")):
            name.symlink_to(mine)
        library.load(op, "sm_90")
        assert mine.read_text() == "not to be written"
        assert entry.is_file() and not entry.is_symlink()

    @only_with("uses_nvrtc")
    @pytest.mark.parametrize(
        "damage",
        [
            lambda entry: os.truncate(entry, entry.stat().st_size - 1),
            lambda entry: entry.chmod(0o666),
            pytest.param(
                lambda entry: os.chown(entry, 65534, -1),
                marks=pytest.mark.skipif(
                    os.geteuid() != 0, reason="only root gives files to others"
                ),
            ),
        ],
        ids=["cut off", "writable for others", "of another user"],
    )
    def test_compiles_again_what_is_not_its_own(self, damage, monkeypatch, tmp_path, library):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        compile_cubin, compiled = library.compile_cubin, []
        monkeypatch.setattr(
            library,
            "compile_cubin",
            lambda *args: compiled.append(args) or compile_cubin(*args),
        )
        code = library.load(OPS[0], "sm_90").code
        (entry,) = tmp_path.glob(f"{PACKAGE}/*")
        damage(entry)
        # The second time, it finds what it wrote the first time.
        for _ in range(2):
            assert library.load(OPS[0], "sm_90").code == code
            assert len(compiled) == 2

    @only_with("uses_nvrtc")
    def test_compiles_without_a_home(self, monkeypatch, library):
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.delenv("HOME", raising=False)
        monkeypatch.setattr(os, "getuid", lambda: 2**31 - 2)  # not a known user
        assert library.load(OPS[0], "sm_90").code

    @only_with("uses_nvrtc")
    @pytest.mark.parametrize("op", OPS)
    def test_compiles_without_a_place_for_the_cache(self, op, monkeypatch, tmp_path, library):
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
        assert library.load(op, "sm_90").code
