"""Every variant is built by the commands of its README, and its own tests run.

Needs PyTorch in the environment: with CUDA and nvcc, everything is compiled by nvcc; without, or
with CPU_ONLY=1, the CPU code alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import venv
from functools import cache
from multiprocessing.pool import ThreadPool
from pathlib import Path
from xml.etree import ElementTree

import pytest
from render import render

from variants import BUILDS, CPU_VARIANTS, VARIANTS, Variant

torch = pytest.importorskip("torch")

CUDA = torch.version.cuda is not None and os.environ.get("CPU_ONLY") != "1"
BUILT = VARIANTS if CUDA else CPU_VARIANTS
COMPILED = [variant for variant in BUILT if variant.compiled]
COMPILER = f"nvcc {torch.version.cuda}" if CUDA else "the C++ compiler alone"


@cache
def python() -> str:
    """Return the Python to install projects into: this process's own, with all that this one has."""
    folder = Path(tempfile.mkdtemp(prefix="python-"))
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    here = sysconfig.get_path("purelib")
    (site / "here.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    return str(folder / "bin" / "python")


# What torch.compile finds out in each process by starting PyTorch in others, which takes seconds: that
# the C++ compiler knows the vector instructions of this machine.
FASTER = {"TORCHINDUCTOR_VEC_ISA_OK": "1"}


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    jobs = {"MAX_JOBS": "2", "CMAKE_BUILD_PARALLEL_LEVEL": "2"}
    # As the compilers of Ubuntu and conda do by themselves: libraries that no symbol comes from, such as
    # libtorch, are left out.
    linker = {"LDFLAGS": "-Wl,--as-needed"}
    return subprocess.run(
        [python(), "-m", *command] if command[0] in ("pip", "pytest") else command,
        cwd=cwd,
        env=os.environ | jobs | linker | FASTER | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def succeed(*command: str | Path, cwd: Path, **environment: str) -> str:
    result = run(*command, cwd=cwd, **environment)
    assert result.returncode == 0, f"{command} failed:\n{result.stdout[-6000:]}"
    return result.stdout


def readme_commands(project: Path) -> list[str]:
    """Return the lines of the first block under "Build and test"."""
    section = (project / "README.md").read_text().split("## Build and test")[1]
    return section.split("```")[1].strip().splitlines()


def install(project: Path, **environment: str) -> subprocess.CompletedProcess:
    """Install as the README says, into this environment; PyTorch and build tools are there."""
    command = next(line for line in readme_commands(project) if " -e " in line)
    arguments = command.replace('"', "").split()
    return run(*arguments, "-v", "-q", cwd=project, **environment)


def each(variants: list[Variant]) -> list:
    """Return parameters of which each keeps its tests in one process, where it is installed."""
    return [pytest.param(v, id=str(v), marks=pytest.mark.xdist_group(str(v))) for v in variants]


@pytest.fixture(scope="session", params=each(BUILT))
def variant(request):
    return request.param


@pytest.fixture(scope="module")
def installed(variant, tmp_path_factory) -> Path:
    project = render(tmp_path_factory.mktemp("build") / "project" / "my_ops", variant.answers)
    result = install(project)
    assert result.returncode == 0, result.stdout[-6000:]
    return project


def test_no_package_is_called_as_a_namespace_of_pytorch(tmp_path):
    """Whatever PyTorch is installed: a second library of its name ends the process without a message."""
    names = {name.split("::")[0] for name in torch._C._dispatch_get_all_op_names()}
    assert {"aten", "profiler", "quantized"} <= names
    for name in sorted(name for name in names if not name.startswith("_")):
        with pytest.raises(ValueError, match="Validation error for question 'project'"):
            render(tmp_path / name, {"project": name})


def library(project: Path) -> Path:
    path = succeed(
        python(),
        "-c",
        "import torch; from my_ops._library import library_path; print(library_path())",
        cwd=project.parent.parent,
    )
    return Path(path.splitlines()[-1])


def test_its_own_tests_pass(installed, variant, summary):
    report = installed / "report.xml"
    succeed("pytest", "-q", f"--junitxml={report}", cwd=installed)
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    skipped = sum(case.find("skipped") is not None for case in cases)
    on_cpu = [case for case in cases if "cuda" not in case.get("name")]
    ran = [case for case in on_cpu if case.find("skipped") is None]
    assert len(ran) >= 40
    # Only what needs a GPU, or NVRTC, may be skipped.
    waiting = {
        "test_launches_on_the_current_stream",
        "test_runs_on_the_device_of_its_arguments",
        "test_indices_beyond_32_bits",
    }
    if not CUDA:
        waiting |= {
            "test_compiles_without_a_gpu",
            "test_compile_error_shows_the_log",
            "test_compiles_once",
            "test_compiles_without_a_place_for_the_cache",
        }
    assert {case.get("name").split("[")[0] for case in on_cpu if case not in ran} <= waiting
    line = f"{variant!s:34} {COMPILER}: {len(cases) - skipped} passed, {skipped} skipped"
    summary("variants built and tested")(line)


@pytest.mark.parametrize("variant", each(COMPILED), indirect=True, scope="session")
def test_the_cuda_code_is_linked(installed):
    symbols = succeed("nm", "-D", "-C", library(installed), cwd=installed)
    sections = succeed("readelf", "-S", "-W", library(installed), cwd=installed)
    assert ("launch_muladd<__half>" in symbols) == CUDA
    assert (".nv_fatbin" in sections) == CUDA


# One for each way in which a gradient is reached, see variants/autograd/.
TRANSFORMED = [
    Variant("setuptools", "torch_library", "function"),
    Variant("setuptools", "pybind11", "cpp"),
    Variant("setuptools", "torch_stable", "function"),
    Variant("nvrtc", None, "function"),
]


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@pytest.mark.parametrize("variant", each(TRANSFORMED), indirect=True, scope="session")
def test_transforms_are_right_or_refused(installed):
    script = Path(__file__).with_name("transforms.py")
    cache = str(installed / "inductor")  # PyTorch's own knows an operator by its name alone
    succeed(python(), script, cwd=installed, PYTHONPATH=".", TORCHINDUCTOR_CACHE_DIR=cache)


def test_the_example_runs(installed):
    text = succeed(python(), "examples/quickstart.py", cwd=installed)
    assert re.search(r"differs from plain PyTorch by at most \d\.\de-\d\d|0\.0e\+00", text)


@pytest.mark.parametrize(
    "variant",
    each(list({variant.autograd: variant for variant in reversed(BUILT)}.values())),
    indirect=True,
    scope="session",
)
def test_the_benchmark_runs(installed, variant):
    command = [python(), "benchmarks/bench_muladd.py", "--device", "cpu", "--sizes", "4096"]
    succeed(*command, "--dtypes", "float32", cwd=installed)
    results = installed / "benchmarks" / "results" / "muladd_cpu.json"
    passes = [row["pass"] for row in json.loads(results.read_text())["rows"]]
    assert passes == (["forward"] if variant.autograd == "none" else ["forward", "backward"])
    assert results.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "variant",
    each([v for v in COMPILED if v.build == "cmake" and v.autograd != "none"]),
    indirect=True,
    scope="session",
)
def test_cmake_alone_builds_the_library(installed):
    block = (installed / "README.md").read_text().split("CMake alone")[1].split("```")[1]
    assert "muladd" in succeed("bash", "-ec", block, cwd=installed)


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@pytest.mark.parametrize(
    "variant",
    each([v for v in COMPILED if str(v) == "cmake-torch_stable-none"]),
    indirect=True,
    scope="session",
)
def test_a_wheel_is_not_for_the_gpus_of_an_editable_install(installed, tmp_path):
    block = (installed / "README.md").read_text().split("(`native`: ")[1].split("```")[1]
    succeed(*block.split(), cwd=installed)
    wheel = ["pip", "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, "."]
    succeed(*wheel, cwd=installed)
    (editable,) = installed.glob("build/editable/*/build.ninja")
    (for_all,) = installed.glob("build/wheel/*/build.ninja")
    assert "-arch=native" in editable.read_text()
    assert all(f"arch=compute_{gpu}" in for_all.read_text() for gpu in (80, 90))


RELOAD = r"""
import sys
from pathlib import Path

import my_ops
import pytest
import torch
from my_ops._library import reload

csrc = Path(my_ops.__file__).parent / "csrc"
a, b = torch.randn(2, 5)


def edit(name, old, new):
    text = (csrc / name).read_text()
    assert old in text
    (csrc / name).write_text(text.replace(old, new, 1))
    reload()


edit("muladd/muladd.h", "out = a * b + c;", "out = a * b + 2 * c;")
torch.testing.assert_close(my_ops.muladd(a, b, 3.0), a * b + 6)
edit("muladd/muladd_cpu.cpp", "out_values[i]);", "out_values[i]); out_values[i] += 1;")
torch.testing.assert_close(my_ops.muladd(a, b, 3.0), a * b + 7)
if "cuda" in sys.argv:
    edit("muladd/muladd_cuda.cu", "Launchers", "Edited")
with pytest.raises(RuntimeError, match=r"muladd_cpu.cpp:\d+:\d+: error: .*missing"):
    edit("muladd/muladd_cpu.cpp", "out_values[i] += 1", "missing += 1")
torch.testing.assert_close(my_ops.muladd(a, b, 3.0), a * b + 7)
edit("muladd/muladd_cpu.cpp", "missing += 1;", "")
edit("muladd/muladd.cpp", '"muladd", "b"', '"muladd", "the second"')
with pytest.raises(RuntimeError, match="the second must have the shape"):
    my_ops.muladd(a, b[1:], 3.0)
"""
EDITED = "import my_ops, torch; x = torch.ones(3); print(my_ops.muladd(x, x, 1.0).sum().item())"


@pytest.mark.parametrize(
    "variant",
    each([v for v in COMPILED if v.build == "inline" and v.autograd == "function"]),
    indirect=True,
    scope="session",
)
def test_an_edit_is_reloaded(installed, tmp_path):
    """In the process that runs, whichever file it is in; the next process has it too."""
    shutil.copytree(installed / "my_ops", tmp_path / "my_ops")
    succeed(python(), "-c", RELOAD, *(["cuda"] if CUDA else []), cwd=tmp_path)
    assert "9.0" in succeed(python(), "-c", EDITED, cwd=tmp_path)
    header = tmp_path / "my_ops/csrc/muladd/muladd.h"
    header.write_text(header.read_text().replace("2 * c", "3 * c"))
    assert "12.0" in succeed(python(), "-c", EDITED, cwd=tmp_path)


@pytest.mark.parametrize(
    "variant",
    each([v for v in COMPILED if str(v) == "setuptools-torch_stable-none"]),
    indirect=True,
    scope="session",
)
def test_an_import_rebuilds_if_asked(installed, tmp_path):
    """Of processes that start together, one compiles; none goes on with the old code."""
    project = tmp_path / "my_ops"
    shutil.copytree(installed, project, ignore=shutil.ignore_patterns("build"))
    header = project / "my_ops/csrc/muladd/muladd.h"
    text = header.read_text()
    header.write_text(text.replace("a * b + c", "a * b + 2 * c"))
    rebuild = {"MY_OPS_REBUILD": "1"}
    with ThreadPool(2) as pool:
        outputs = pool.map(lambda _: run(python(), "-c", EDITED, cwd=project, **rebuild), range(2))
    assert all("9.0" in output.stdout for output in outputs), outputs
    # A line says that it compiles, and no command of a compiler follows.
    assert sum(output.stdout.count("compiling what was edited") for output in outputs) == 1
    assert not any("-O3" in output.stdout for output in outputs)
    (compiled,) = project.glob("my_ops/_C*.so")
    before = compiled.stat().st_ino
    assert "9.0" in succeed(python(), "-c", EDITED, cwd=project, **rebuild)
    assert compiled.stat().st_ino == before
    header.write_text(text.replace("a * b + c", "missing"))
    result = run(python(), "-c", EDITED, cwd=project, **rebuild)
    assert result.returncode != 0 and "missing" in result.stdout
    (project / "setup.py").unlink()
    result = run(python(), "-c", EDITED, cwd=project, **rebuild)
    assert result.returncode != 0 and "no setup.py next to" in result.stdout


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@pytest.mark.parametrize("build", [build for build in BUILDS if build != "nvrtc"])
def test_without_nvcc_the_build_says_what_to_do(build, tmp_path):
    """It never falls back to the CPU in silence, but does so when asked."""
    project = render(tmp_path / "project" / "my_ops", {"build": build, "autograd": "none"})
    clean = [p for p in os.environ["PATH"].split(os.pathsep) if not Path(p, "nvcc").exists()]
    environment = {"CUDA_HOME": str(tmp_path), "PATH": os.pathsep.join(clean)}
    importing = [python(), "-c", "import my_ops; print(my_ops.muladd)"]
    for asked in ["0", "1"]:
        result = install(project, CPU_ONLY=asked, **environment)
        if build in ("jit", "inline"):
            assert result.returncode == 0, result.stdout[-3000:]
            result = run(*importing, cwd=tmp_path, CPU_ONLY=asked, **environment)
        assert (result.returncode == 0) == (asked == "1"), result.stdout[-3000:]
        if asked == "0":
            assert "CPU_ONLY=1" in result.stdout and "nvcc" in result.stdout
    succeed(*importing, cwd=tmp_path, CPU_ONLY="1", **environment)
