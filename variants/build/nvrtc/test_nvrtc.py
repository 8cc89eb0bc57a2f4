"""Compiling with NVRTC, for which no GPU is needed."""

import pytest

from {{ project }}._bindings import DTYPES, OPS

pytest.importorskip("cuda.bindings.nvrtc")
pytest.importorskip("cuda.core")
_library = pytest.importorskip("{{ project }}._library")


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
@pytest.mark.parametrize("op", OPS)
def test_compiles(op, arch):
    compiled = _library.compile_cubin(op, arch)
    assert len(compiled.symbol_mapping) == len(OPS[op]) * len(DTYPES)
    for name in _library.kernel_names(op):
        assert compiled.symbol_mapping[name] in compiled.code


@pytest.mark.parametrize("op", OPS)
def test_error_shows_the_log(op, monkeypatch):
    monkeypatch.setattr(_library, "_source", lambda op: "__global__ void f() { missing(); }")
    with pytest.raises(RuntimeError, match=rf'{op}_cuda.cu\(1\): error: .* "missing" is undefined'):
        _library.compile_cubin(op, "sm_90")


@pytest.mark.parametrize("op", OPS)
def test_compiles_once(op, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = _library.load(op, "sm_90")
    monkeypatch.setattr(_library, "compile_cubin", None)
    second = _library.load(op, "sm_90")
    assert second.code == first.code
    assert second.symbol_mapping == first.symbol_mapping
    monkeypatch.setattr(_library, "_headers_digest", lambda: b"edited")
    with pytest.raises(TypeError):
        _library.load(op, "sm_90")


@pytest.mark.parametrize("op", OPS)
def test_compiles_without_a_place_for_the_cache(op, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert _library.load(op, "sm_90").code
