"""A release is made by the steps of the rendered release.yml, without GitHub and without a container.

Runs with the newest PyTorch, compiles for the CPU, and takes in OLDEST the Python of another environment:
it has the oldest PyTorch that a stable wheel is for, and pytest and numpy.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar
from zipfile import ZipFile

import kernel_abi_check
import pytest
import yaml
from building import FASTER, FREE_THREADED, each, with_each
from cases import every_operator
from filelock import FileLock
from render import render
from updating import git, start

from variants import BUILDS, Variant

# A library that calls no Python has a wheel for all of them, whichever makes it: here a free-threaded one.
BY_FREE_THREADED = Variant("setuptools", "torch_library", "function")
RELEASED = [
    Variant("setuptools", "torch_stable", "function"),
    BY_FREE_THREADED,
    Variant("cmake", "pybind11", "cpp"),
    Variant("jit", "torch_library", "none"),
    Variant("inline", "torch_stable", "none"),
    Variant("nvrtc", None, "function"),
]
# Of each binding and build, what shows that its library is found; all tests run for the first.
SOME = {"PYTEST_ADDOPTS": "-k 'float32 and contiguous or interpreter'"}

REPOSITORY = "https://github.com/somebody/my_ops"

# Stands in for cibuildwheel: runs these options in this order.
CIBUILDWHEEL = """\
import os, shlex, subprocess, sys
from pathlib import Path

_, output, package = sys.argv[1:]
option = {name.removeprefix("CIBW_"): text for name, text in os.environ.items()}
os.environ.update(assignment.split("=", 1) for assignment in shlex.split(option["ENVIRONMENT"]))
frontend, arguments = option["BUILD_FRONTEND"].split("; args: ")


def run(command):
    subprocess.run(command, shell=True, check=True)


run(option["BEFORE_BUILD"])
run(f"python -m {frontend} {arguments} --wheel -o built {package}")
(wheel,) = Path("built").glob("*.whl")
run(option["REPAIR_WHEEL_COMMAND"].format(dest_dir=output, wheel=wheel))
(wheel,) = Path(output).glob("*.whl")
for command in option["AUDIT_COMMAND"].split(" && "):
    run(command.format(wheel=wheel))
"""


@dataclass
class Release:
    project: Path
    folder: Path
    """Where the jobs ran that make it, each in a folder of its own, as artifacts lie on GitHub."""

    @property
    def wheel(self) -> Path:
        (wheel,) = self.folder.glob("*/wheels/*.whl")
        return wheel

    @property
    def sdist(self) -> Path:
        return next(self.folder.glob("*/dist/*.tar.gz"))


def environment(folder: Path, other: str | None = None) -> Path:
    """Make an environment to install into, with all that this one has or the one of another Python."""
    venv.create(folder, symlinks=True)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.check_output([other or sys.executable, "-c", code], text=True).strip()
    (target,) = folder.glob("lib/python*/site-packages")
    (target / "there.pth").write_text(f"import site; site.addsitedir({site!r})\n")
    bin = folder / "bin"
    (bin / "pip").write_text(f'#!/bin/sh\nexec {bin}/python -m pip "$@"\n')
    (bin / "cibuildwheel").write_text(f"#!{bin}/python\n{CIBUILDWHEEL}")
    for name in ["pip", "cibuildwheel"]:
        (bin / name).chmod(0o755)
    return bin


def run_job(project: Path, job: str, cwd: Path, bin: Path, matrix: dict, **extra: str) -> None:
    """Run the steps of a job as GitHub's runner does. The tools of a release must be installed."""
    offline = {} if job == "test" else {"PIP_NO_INDEX": "1"}
    text = (project / ".github/workflows/release.yml").read_text()
    for name, value in matrix.items():
        text = text.replace("${{ " + name + " }}", value)
    path = os.pathsep.join([str(bin), sysconfig.get_path("scripts"), os.environ["PATH"]])
    for step in yaml.safe_load(text)["jobs"][job]["steps"]:
        if "run" in step:
            result = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
                cwd=cwd,
                env=os.environ
                | FASTER
                | {"PATH": path, "CUDA_VISIBLE_DEVICES": "", "MAX_JOBS": "2"}
                | {"GITHUB_REF_NAME": "v0.1.0"}
                | offline
                | step.get("env", {})
                | extra,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert result.returncode == 0, f"{step['run']}\n{result.stdout[-6000:]}"
            (cwd / "log").write_text(result.stdout)


@pytest.fixture(scope="session", params=each(RELEASED))
def variant(request):
    return request.param


@pytest.fixture(scope="session")
def release(variant, tmp_path_factory) -> Release:
    folder = tmp_path_factory.mktemp("release")
    answers = variant.answers | {"extent": "full", "repository": REPOSITORY}
    project = render(folder / "sdist", answers)
    start(project)
    bin = environment(folder / "environment")
    run_job(project, "sdist", project, bin, {})
    wheels = folder / "wheels"
    wheels.mkdir()
    os.symlink(project / "dist", wheels / "dist")
    if variant.build in ("setuptools", "cmake"):
        matrix = {
            "matrix.index": "https://download.pytorch.org/whl/cpu",
            "matrix.device == 'cpu' && '1' || '0'": "1",
        }
        interpreter = {}
        if variant == BY_FREE_THREADED:
            (folder / "sitecustomize.py").write_text(FREE_THREADED)
            interpreter = {"PYTHONPATH": str(folder)}
        run_job(project, "wheels", wheels, bin, matrix, **interpreter)
    else:
        os.symlink(project / "dist", wheels / "wheels")
    return Release(project, folder)


def run_tests(release: Release, folder: Path, other: str | None = None, **extra: str) -> str:
    """Install the wheel as a user does, run the tests of the source distribution, and return pytest's output."""
    folder.mkdir()
    os.symlink(release.sdist.parent, folder / "dist")
    os.symlink(release.wheel.parent, folder / "wheels")
    bin = environment(folder / "environment", other)
    matrix = {"matrix.torch": "torch==2.10.*" if other else "torch", "matrix.index": "unused"}
    run_job(release.project, "test", folder, bin, matrix, **extra)
    where = "import torch, my_ops; print(my_ops.__file__, my_ops.__version__)"
    command = [bin / "python", "-c", where]
    said = subprocess.check_output(command, cwd=folder, text=True, env=os.environ | extra)
    path, version = said.split()
    assert path.startswith(str(folder / "environment")), path
    assert version == release.wheel.name.split("-")[1]
    return (folder / "log").read_text()


def test_its_tests_pass_where_it_is_installed(release, variant, tmp_path, summary):
    passed = {}
    whole = variant == RELEASED[0]
    # PyTorch's compiler has a cache that knows an operator by its name, and there are many of these names.
    caches = {"TORCH_EXTENSIONS_DIR": "cache", "TORCHINDUCTOR_CACHE_DIR": "inductor"}
    extra = {"CPU_ONLY": "1"} | {name: str(tmp_path / folder) for name, folder in caches.items()}
    extra |= {} if whole else SOME
    oldest = (
        [os.environ["OLDEST"]]
        if variant.binding == "torch_stable" and variant.build != "inline"
        else []
    )
    for other in [None, *oldest]:
        text = run_tests(release, tmp_path / f"with{len(passed)}", other, **extra)
        passed["2.10" if other else "the newest"] = int(re.search(r"(\d+) passed", text)[1])
    assert len(set(passed.values())) == 1 and all(
        n >= (100 if whole else 2) for n in passed.values()
    )
    summary("released")(
        f"{variant!s:34} {release.wheel.name}: "
        + ", ".join(f"{number} passed with {torch}" for torch, number in passed.items())
    )


def metadata(wheel: Path) -> list[str]:
    archive = ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    return archive.read(name).decode().splitlines()


def test_a_wheel_says_what_it_serves(release, variant):
    """One for every Python, unless pybind11 is in it; one for every PyTorch, if stable or without a library."""
    one_pytorch = variant.build in ("setuptools", "cmake") and variant.binding != "torch_stable"
    version = re.match(r"[\d.]+", importlib.metadata.version("torch"))[0]
    asked = f"torch=={version}" if one_pytorch else "torch>=2.10"
    lines = metadata(release.wheel)
    assert f"Requires-Dist: {asked}" in lines
    assert f"Project-URL: Repository, {REPOSITORY}" in lines
    assert f"Project-URL: Issues, {REPOSITORY}/issues" in lines
    tags = "py3-none-any"
    if variant.build in ("setuptools", "cmake"):
        python = f"cp3{sys.version_info.minor}"
        tags = rf"{python}-{python}" if variant.binding == "pybind11" else "py3-none"
        tags = rf"{tags}-manylinux_2_\d\d_x86_64"
        assert "Version: 0.1.0+cpu" in lines
    assert re.fullmatch(rf"my_ops-0\.1\.0(\+cpu)?-{tags}\.whl", release.wheel.name)


def test_a_wheel_holds_the_library_or_its_sources(release, variant):
    names = {name for name in ZipFile(release.wheel).namelist() if ".dist-info/" not in name}
    python = {
        str(path.relative_to(release.project))
        for path in release.project.glob("my_ops/**/*.py")
        if path.name != "backend.py"  # which builds wheels
    }
    assert python | {"my_ops/py.typed"} <= names
    rest = {Path(name).name for name in names - python if name[-1] != "/"} - {"py.typed"}
    if variant.build in ("setuptools", "cmake"):
        library = "_C.so" if variant.binding != "pybind11" else "_C.cpython"
        assert rest - {"_C.json"} == {name for name in rest if name.startswith(library)} != set()
    else:
        assert {"muladd.h", "muladd_cuda.cu"} <= rest


@with_each(RELEASED[:3])
def test_pip_takes_a_wheel_for_free_threaded_python(release, variant, tmp_path):
    """pip checks whether a wheel fits; the wheel of a pybind11 module does not."""
    pip = [sys.executable, "-m", "pip", "download", "--no-index", "--no-deps", "--pre", "my_ops"]
    python = ["--implementation", "cp", "--python-version", "3.14", "--abi", "cp314t"]
    platform = release.wheel.stem.rpartition("-")[2]
    where = ["--find-links", release.wheel.parent, "--dest", tmp_path, "--platform", platform]
    result = subprocess.run(
        [*pip, *python, *where, "--only-binary=:all:"], capture_output=True, text=True, check=False
    )
    if variant.binding == "pybind11":
        assert "No matching distribution found for my_ops" in result.stderr
    else:
        assert result.returncode == 0, result.stderr
        assert (tmp_path / release.wheel.name).exists()


@with_each(RELEASED[:1])
def test_the_audit_refuses_a_library_that_calls_python(release, tmp_path):
    calls = "void PyErr_Clear(void); void f(void) { PyErr_Clear(); }"
    library = tmp_path / "my_ops/_C.so"
    library.parent.mkdir()
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library]
    subprocess.run(command, input=calls, text=True, check=True)
    with ZipFile(tmp_path / "wheel", "w") as archive:
        archive.write(library, "my_ops/_C.so")
    workflow = yaml.safe_load((release.project / ".github/workflows/release.yml").read_text())
    (option,) = [
        step["env"]["CIBW_AUDIT_COMMAND"]
        for step in workflow["jobs"]["wheels"]["steps"]
        if "env" in step
    ]
    _, extract, names, search, *_ = option.format(wheel="wheel").split(" && ")
    audit = f"{extract} && {names} && {search}"
    result = subprocess.run(
        audit, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1 and "PyErr_Clear" in result.stdout, result.stderr


@with_each(RELEASED[1:2])
def test_another_pytorch_is_refused_in_a_sentence(release, tmp_path):
    """pip refuses it, and so does the import of a package that was installed without pip's check."""
    bin = environment(tmp_path / "environment", os.environ["OLDEST"])
    subprocess.run([bin / "pip", "install", "--no-index", "--no-deps", release.wheel], check=True)
    result = subprocess.run([bin / "pip", "check"], capture_output=True, text=True, check=False)
    assert re.search(r"requirement torch==[\d.]+, but you have torch 2\.10", result.stdout)
    result = subprocess.run(
        [bin / "python", "-c", "import my_ops"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(
        r"ImportError: .* was compiled for PyTorch .*, but this is PyTorch 2\.10.*; install a wheel for this PyTorch: `pip install --force",
        result.stderr,
    )


def test_a_fresh_project_passes_with_the_oldest_pytorch(tmp_path):
    """Before 2.13, PyTorch stores NaN for numbers that a float8_e4m3fn is too small for."""
    more = "custom: coarse(Tensor x: float64[N, D]) -> Tensor: float8_e4m3fn[N]"
    project = render(tmp_path / "my_ops", {"build": "nvrtc", "more_ops": more})
    command = [os.environ["OLDEST"], "-m", "pytest", "-q", "-k", "coarse and not compile"]
    subprocess.run(command, cwd=project, check=True)


@with_each(RELEASED[:1])
def test_a_wheel_loads_from_a_folder_of_the_hugging_face_hub(release, tmp_path):
    page = (release.project / "docs" / "releasing.md").read_text()
    commands = page.split("\n## The Hugging Face Hub\n")[1].split("```")[1]
    commands = commands.replace("pip install kernels\n", "")  # the session did
    call = "print(get_local_kernel(Path('hub')).muladd(torch.ones(2), torch.ones(2), 1.0))"
    commands = commands.replace("print(get_local_kernel(Path('hub')))", f"import torch; {call}")
    os.symlink(release.wheel.parent, tmp_path / "dist")
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"

    def shell(lines: str) -> str:
        command, env = ["bash", "-ec", lines], os.environ | {"PATH": path}
        result = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        return result.stdout + result.stderr

    output = shell(commands)
    assert output.splitlines()[-1:] == ["tensor([2., 2.])"], output
    (library,) = tmp_path.rglob("*.so")
    # No symbol of Python, as the Hub's own check wants it; of the C library, auditwheel tells.
    assert kernel_abi_check.ObjectFile(library).check_python_abi("3.9") == []
    # A second version in the same process is refused; with the stable ABI, it would crash.
    shell("cp -r hub other && sed -i s/_my_ops_1/_my_ops_2/ other/build/*/metadata.json")
    both = "[get_local_kernel(Path(name)) for name in ('hub', 'other')]"
    output = shell(
        f'python -c "from pathlib import Path; from kernels import get_local_kernel; {both}"'
    )
    assert re.search(r"Error: .*other/.* cannot define torch.ops.my_ops, which .*hub/", output), (
        output
    )


class Registry(BaseHTTPRequestHandler):
    """Accepts the files that twine uploads."""

    received: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.extend(x.decode() for x in re.findall(rb'filename="(.+?)"', body))
        self.send_response(200)
        self.end_headers()


@pytest.mark.parametrize("released", [RELEASED[0], RELEASED[3]], ids=str)
def test_files_are_uploaded_without_github_as_the_page_tells(released, tmp_path):
    project = render(tmp_path / "project", released.answers | {"extent": "full"})
    start(project)
    page = (project / "docs" / "releasing.md").read_text()
    commands = page.split("\n## Without GitHub or PyPI\n")[1].split("```")[1]
    install, commands = commands.strip().split("\n", 1)
    assert install.startswith("pip install build twine")  # the session did
    commands = re.sub(r"build$", "build --no-isolation", commands, flags=re.MULTILINE)
    git(tmp_path, "clone", "-q", str(project), "clone")
    Registry.received.clear()
    with HTTPServer(("127.0.0.1", 0), Registry) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        bin = environment(tmp_path / "environment")
        path = os.pathsep.join([str(bin), sysconfig.get_path("scripts"), os.environ["PATH"]])
        user = {"TWINE_USERNAME": "somebody", "TWINE_PASSWORD": "secret", "NO_PROXY": "127.0.0.1"}
        address = {"REGISTRY": f"http://127.0.0.1:{server.server_port}"}
        result = subprocess.run(
            ["bash", "-ec", commands],
            cwd=tmp_path / "clone",
            env=os.environ | FASTER | {"PATH": path, "CPU_ONLY": "1"} | user | address,
            capture_output=True,
            text=True,
            check=False,
        )
        server.shutdown()
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    wheel, sdist = sorted(Registry.received)
    assert sdist == "my_ops-0.1.0.tar.gz"
    assert ("manylinux" in wheel) == (released.build == "setuptools")


SCRIPT = """\
import torch
from my_ops import muladd


def twice(x: torch.Tensor) -> torch.Tensor:
    return muladd(x, x, 1.0) * 2


muladd(torch.ones(3), 1.0, c=2)
"""


@pytest.fixture
def mypy(tmp_path_factory):
    """Return a function that runs mypy, which reads PyTorch once for the tests of all processes."""
    cache = tmp_path_factory.getbasetemp().parent / "mypy"

    def run(*options: str | Path, cwd: Path) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *options]
        with FileLock(cache.with_suffix(".lock")):
            return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)

    return run


def check_types(mypy, bin: Path, folder: Path, script: Path) -> None:
    """Run mypy in a folder, and check that it finds the only mistake of a script."""
    script.write_text(SCRIPT)
    result = mypy("--python-executable", bin / "python", script, cwd=folder)
    (error, found) = result.stdout.splitlines()
    assert 'script.py:9: error: Argument 2 to "muladd" has incompatible type "float"' in error
    assert found == "Found 1 error in 1 file (checked 1 source file)"


@with_each(RELEASED[:1])
def test_mypy_knows_what_functions_take_and_return(release, mypy, tmp_path):
    bin = environment(tmp_path / "environment")
    subprocess.run([bin / "pip", "install", "--no-index", "--no-deps", release.wheel], check=True)
    check_types(mypy, bin, tmp_path, tmp_path / "script.py")


def test_mypy_knows_it_in_an_editable_install(mypy, tmp_path):
    """mypy runs above, outside of and inside the repository. Nothing is compiled before an import."""
    project = render(tmp_path / "my_ops", {"build": "jit"})
    bin = environment(tmp_path / "environment")
    editable = ["install", "--no-index", "--no-deps", "--no-build-isolation", "-e", project]
    subprocess.run([bin / "pip", *editable], check=True)
    for folder in [tmp_path, bin, project, project / "tests"]:
        check_types(mypy, bin, folder, tmp_path / "script.py")


# Each build, binding, autograd and extent.
TYPED = [
    Variant("setuptools", "torch_library", "function"),
    Variant("cmake", "torch_library", "none"),
    Variant("jit", "pybind11", "function"),
    Variant("inline", "torch_library", "cpp"),
    Variant("inline", "pybind11", "none"),
    Variant("nvrtc", None, "function"),
    Variant("nvrtc", None, "none"),
]


LISTS = """
custom: of_lists(Tensor x: [N], int[2] stride=[1, 1], float[] scales=[0.5], bool[2] flip=[True, False]) -> Tensor: [N]
listed(Tensor x, int[2] size=3, int[]? dims=None)
"""


def test_mypy_finds_no_error_in_a_package(mypy, tmp_path):
    """The package has operators of each kernel, with every kind of arguments and results."""
    for variant in TYPED:
        answers = variant.answers | {"more_ops": every_operator() + LISTS}
        project = render(tmp_path / str(variant) / "my_ops", answers)
        result = mypy("my_ops", cwd=project)
        assert result.stdout.startswith("Success: no issues found"), result.stdout + result.stderr


# A library without operators, which compiles quickly and contains a sentence.
LOADER = """\
from pathlib import Path

from .._library import library_path

FOUND = b"compiled from the source distribution" in Path(library_path()).read_bytes()
"""
SMALL = """\
#include "muladd/muladd.h"
extern "C" { extern const char text[] = "compiled from the source distribution"; }
"""


@pytest.mark.parametrize("build", BUILDS)
def test_core_makes_a_wheel_from_its_source_distribution(build, tmp_path):
    """It has all that git has of the package, its tests and its benchmark; an import of the wheel finds the library."""
    project = render(tmp_path / "my_ops", {"build": build}, extent="core")
    for source in project.glob("my_ops/csrc/**/*.cpp"):
        source.write_text(SMALL if source.name == "bindings.cpp" else "")
    if build != "nvrtc":
        (project / "my_ops/_kit/bindings.py").write_text(LOADER)
        (project / "my_ops/__init__.py").write_text("from ._kit.bindings import FOUND\n")
    start(project)
    bin = environment(tmp_path / "environment")
    command = [bin / "python", "-m", "build", "--no-isolation"]
    result = subprocess.run(
        command,
        cwd=project,
        env=os.environ | {"CPU_ONLY": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    (sdist,) = project.glob("dist/*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = ["my_ops", "tests", "benchmarks", "pyproject.toml"]
    committed = set(git(project, "ls-files", "--", *folders).splitlines())
    assert committed <= names, committed - names
    (wheel,) = project.glob("dist/*.whl")
    compiled = build in ("setuptools", "cmake")
    assert re.search(r"-py3-none-linux_" if compiled else "-py3-none-any", wheel.name)
    if compiled:
        subprocess.run([bin / "pip", "install", "--no-index", "--no-deps", wheel], check=True)
        code = "import my_ops; assert my_ops.FOUND and 'environment' in my_ops.__file__"
        subprocess.run([bin / "python", "-c", code], cwd=tmp_path, check=True)


def test_uv_does_what_the_readme_says(tmp_path):
    """In a folder without an environment: uv makes one, and installs the newest PyTorch of PyPI into it."""
    project = render(tmp_path / "my_ops", RELEASED[1].answers | {"extent": "full"})
    readme = (project / "README.md").read_text()
    commands = list(dict.fromkeys(re.findall(r"`(uv [a-z ]+)`", readme)))
    assert commands == ["uv sync", "uv run pytest", "uv build"]
    uv = str(Path(sys.executable).with_name("uv"))
    # Nothing of this session's environment but the Python that it was made with.
    python = Path(sys._base_executable).parent
    outside = os.environ | {"PATH": f"{python}{os.pathsep}{os.defpath}"}
    outside.pop("VIRTUAL_ENV", None)
    for command in commands:
        result = subprocess.run(
            [uv, *command.split()[1:]],
            cwd=project,
            env=outside | FASTER | SOME | {"CPU_ONLY": "1", "MAX_JOBS": "2"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.returncode == 0, f"{command}: {result.stdout[-6000:]}"
        if "pytest" in command:
            assert re.search(r"[1-9]\d* passed", result.stdout), result.stdout
    assert (project / ".venv/bin/pytest").exists()
    (wheel,) = project.glob("dist/*.whl")
    assert any(line.startswith("Requires-Dist: torch==") for line in metadata(wheel))
    assert len(list(project.glob("dist/*.tar.gz"))) == 1
