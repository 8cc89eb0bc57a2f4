"""The package in a fresh interpreter, and its compiler, which needs no GPU."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from {{ project }}._kit.bindings import OPS


def test_import_in_a_fresh_interpreter():
    found = find_spec("{{ project }}").origin
    place = Path(found).parents[1]  # not always this repository
    subprocess.run(‹[sys.executable, "-c", "import {{ project }}"], cwd=place, check=True›)


@pytest.fixture
def library():
    pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC comes with PyTorch for CUDA")
    return pytest.importorskip("{{ project }}._library")


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
@pytest.mark.parametrize("op", OPS)
def test_compiles_without_a_gpu(op, arch, library):
    compiled = library.compile_cubin(op, arch)
    assert compiled.symbol_mapping.keys() == set(library.kernel_names(op))
    for name in library.kernel_names(op):
        assert compiled.symbol_mapping[name] in compiled.code


@pytest.mark.parametrize("op", OPS)
def test_compile_error_shows_the_log(op, monkeypatch, library):
    monkeypatch.setattr(library, "_source", lambda op: "__global__ void f() { missing(); }")
    with pytest.raises(RuntimeError, match=rf'{op}_cuda.cu\(1\): error: .* "missing" is undefined'):
        library.compile_cubin(op, "sm_90")


@pytest.mark.parametrize("op", OPS)
def test_compiles_once(op, monkeypatch, tmp_path, library):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = library.load(op, "sm_90")
    monkeypatch.setattr(library, "compile_cubin", None)
    second = library.load(op, "sm_90")
    assert second.code == first.code
    assert second.symbol_mapping == first.symbol_mapping
    monkeypatch.setattr(library, "_headers_digest", lambda: b"edited")
    with pytest.raises(TypeError):
        library.load(op, "sm_90")


@pytest.mark.parametrize("op", OPS)
def test_writes_through_no_link(op, monkeypatch, tmp_path, library):
    """A process in another container with the same home may have the same number."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    library.load(op, "sm_90")
    (entry,) = tmp_path.glob("cache/{{ project }}/*")
    assert {path.stat().st_mode & 0o777 for path in (entry.parent, entry.parents[1])} == {0o700}
    mine = tmp_path / "mine"
    mine.write_text("not to be written")
    entry.unlink()
    for name in (entry, entry.with_suffix(f".{os.getpid()}")):
        name.symlink_to(mine)
    library.load(op, "sm_90")
    assert mine.read_text() == "not to be written" and entry.is_file() and not entry.is_symlink()


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: os.truncate(entry, entry.stat().st_size - 1),
        lambda entry: entry.chmod(0o666),
        pytest.param(
            lambda entry: os.chown(entry, 65534, -1),
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others"),
        ),
    ],
    ids=["cut off", "writable for others", "of another user"],
)
def test_compiles_again_what_is_not_its_own(damage, monkeypatch, tmp_path, library):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compile_cubin, compiled = library.compile_cubin, []
    monkeypatch.setattr(
        library,
        "compile_cubin",
        lambda *args: compiled.append(args) or compile_cubin(*args),
    )
    op = next(iter(OPS))
    code = library.load(op, "sm_90").code
    (entry,) = tmp_path.glob("{{ project }}/*")
    damage(entry)
    # The second time, it finds what it wrote the first time.
    for _ in range(2):
        assert library.load(op, "sm_90").code == code
        assert len(compiled) == 2


def test_compiles_without_a_home(monkeypatch, library):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 2)  # not a known user
    assert library.load(next(iter(OPS)), "sm_90").code


@pytest.mark.parametrize("op", OPS)
def test_compiles_without_a_place_for_the_cache(op, monkeypatch, tmp_path, library):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert library.load(op, "sm_90").code
