"""`python -m my_ops.doctor` finds each fault, which is made on purpose, and names the fix. Nothing is compiled.

Compilers, PyTorch and GPUs are stand-ins. tests/build/test_build.py asks the doctor of libraries that are built.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from building import FREE_THREADED
from render import render

from variants import BUILDS

COMPILED = [build for build in BUILDS if build != "nvrtc"]


# One that sees a GPU.
PYTORCH = """
class cuda:
    is_available = lambda: True
    device_count = lambda: 1
    get_device_name = lambda: "NVIDIA H200"
    get_device_capability = lambda index: (9, 0)
"""


class Machine:
    """A machine on which nothing is wrong, until a test breaks it."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.modules = folder / "modules"
        # A ninja beside this Python is not beside the link.
        self.python = folder / "python/python"
        self.python.parent.mkdir(parents=True)
        self.python.symlink_to(sys.executable)
        self.toolkit = folder / "cuda"
        jobs = {"MAX_JOBS": "1", "CMAKE_BUILD_PARALLEL_LEVEL": "1"}
        self.environment = {"CUDA_HOME": str(self.toolkit), **jobs}
        self.gcc("12")
        self.program("ninja", "echo 1.13.0")
        self.program("cmake", "echo cmake version 4.1.0")
        self.file(self.modules / "scikit_build_core/__init__.py")
        self.nvcc("13.0")
        self.pytorch("2.13.0", "13.0")

    def file(self, path: Path, text: str = "") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def program(self, name: str, script: str, folder: Path | None = None) -> None:
        path = (folder or self.programs) / name
        self.file(path, f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def gcc(self, major: str) -> None:
        said = f"c++ (GCC) {major}.1.0\nCopyright (C) Free Software Foundation, Inc."
        self.program("c++", f'[ "$1" = --version ] && echo "{said}"')

    def nvcc(self, release: str) -> None:
        script = (
            f"[ $1 = --version ] && echo 'Cuda compilation tools, release {release}, V{release}.88'"
        )
        self.program("nvcc", script, self.toolkit / "bin")
        self.file(self.toolkit / "include/cuda_runtime.h")

    def pytorch(self, version: str, cuda: str | None, code: str = PYTORCH) -> None:
        self.file(self.modules / "torch/__init__.py", code)
        self.file(
            self.modules / "torch/version.py", f"__version__ = {version!r}\ncuda = {cuda!r}\n"
        )

    def run(
        self,
        project: Path,
        *arguments: str,
        python: tuple[str, ...] = ("-m", "my_ops.doctor"),
        stderr: int = subprocess.STDOUT,
    ) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.python, *python, *arguments],
            cwd=project,
            env={"PATH": str(self.programs), "PYTHONPATH": str(self.modules), **self.environment},
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(scope="module")
def projects(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("doctor")
    return {build: render(folder / build / "my_ops", {"build": build}) for build in BUILDS}


def old_compiler(machine):
    machine.gcc("8")
    return "is g++ 8, and PyTorch needs 11 or later", "CXX=g++-12"


def no_compiler(machine):
    (machine.programs / "c++").unlink()
    return "there is no C++ compiler c++", "apt install g++"


def no_ninja(machine):
    (machine.programs / "ninja").unlink()
    return "no ninja", "pip install ninja"


def no_cmake(machine):
    (machine.programs / "cmake").unlink()
    return "there is no cmake", "pip install cmake"


def no_build_backend(machine):
    (machine.modules / "scikit_build_core/__init__.py").unlink()
    (machine.modules / "scikit_build_core").rmdir()
    return "there is no scikit-build-core", "pip install scikit-build-core"


def no_nvcc(machine):
    (machine.toolkit / "bin/nvcc").unlink()
    problem = f"there is no nvcc for PyTorch's CUDA 13.0: no {machine.toolkit}/bin/nvcc"
    return problem, "unset CUDA_HOME && python -m my_ops.doctor --nvcc | xargs -r pip install"


def no_nvcc_of_cuda_12(machine):
    machine.pytorch("2.13.0", "12.6")
    (machine.toolkit / "bin/nvcc").unlink()
    return "there is no nvcc for PyTorch's CUDA 12.6", "install the CUDA 12.6 toolkit, https://"


def nvcc_of_another_major_version(machine):
    machine.nvcc("12.8")
    problem = f"PyTorch has CUDA 13.0, but {machine.toolkit}/bin/nvcc is of CUDA 12.8"
    return problem, "unset CUDA_HOME && python -m my_ops.doctor --nvcc | xargs -r pip install"


OF_COMPILERS = [
    old_compiler,
    no_compiler,
    no_ninja,
    no_nvcc,
    no_nvcc_of_cuda_12,
    nvcc_of_another_major_version,
]


def no_pytorch(machine):
    for path in (machine.modules / "torch").iterdir():
        path.unlink()
    (machine.modules / "torch").rmdir()
    return "finds no PyTorch", "pip install torch"


def old_pytorch(machine):
    machine.pytorch("2.9.1+cu130", "13.0")
    return "PyTorch 2.9.1+cu130 is too old", "pip install --upgrade torch"


def pytorch_that_cannot_be_imported(machine):
    machine.pytorch("2.13.0", "13.0", "import missing_part")
    return "PyTorch 2.13.0 is installed, but cannot be imported", "--force-reinstall torch"


def old_driver(machine):
    said = "CUDA initialization: The NVIDIA driver on your system is too old (found version 12080)"
    machine.pytorch("2.13.0", "13.0", f"import warnings\nwarnings.warn({said!r})\n{PYTORCH}")
    return f"PyTorch 2.13.0 cannot use the GPU: {said}", "a newer driver, or another PyTorch"


OF_ALL = [no_pytorch, old_pytorch, pytorch_that_cannot_be_imported, old_driver]
FAULTS = [(f, b) for f in OF_ALL for b in BUILDS] + [(f, b) for f in OF_COMPILERS for b in COMPILED]
FAULTS += [(no_cmake, "cmake"), (no_build_backend, "cmake")]

BY_NINJA = [build for build in COMPILED if build != "cmake"]
CMAKE = ["cmake"]
NUMBER = "{0} is '{1}', not a positive number of compilers", "unset {0}"
SWITCH = "{0} is '{1}', not 1 or 0", "export {0}=1"
MANY = "100000 compilers at a time may take 100000 GiB", "export {0}="
# Environment variables: their values, the finding, the fix.
VARIABLES = [
    (
        "CXX",
        "ccache c++",
        "there is no C++ compiler {1}",
        "the path of a script that calls it",
        BY_NINJA,
    ),
    *(("CPU_ONLY", value, *SWITCH, COMPILED) for value in ("true", "1 ")),
    ("FORCE_CUDA", "yes", *SWITCH, COMPILED),
    ("MAX_JOBS", "many", *NUMBER, BY_NINJA),
    ("MAX_JOBS", "100000", *MANY, BY_NINJA),
    ("CMAKE_BUILD_PARALLEL_LEVEL", "2 ", *NUMBER, CMAKE),
    ("CMAKE_BUILD_PARALLEL_LEVEL", "100000", *MANY, CMAKE),
]
# Of programs: what they do.
PROGRAMS = [
    (
        "c++",
        "echo no libmpc.so.3; exit 1",
        "c++ --version` ended with status 1: no libmpc",
        "c++ --version",
        COMPILED,
    ),
    (
        "c++",
        "exit 3",
        "c++ --version` ended with status 3 and printed nothing",
        "c++ --version",
        COMPILED,
    ),
    (
        "nvcc",
        "exit 1",
        "nvcc --version` ended with status 1 and printed nothing",
        "nvcc --version",
        COMPILED,
    ),
    (
        "nvcc",
        "echo Refused; exit 126",
        "nvcc --version` ended with status 126: Refused",
        "nvcc --version",
        COMPILED,
    ),
]


def of_builds(rows: list[tuple]) -> list:
    """Return the rows, whose last column are builds, for each of these."""
    return [
        pytest.param(*row, build, id=f"{row[0]}={row[1]}-{build}")
        for *row, builds in rows
        for build in builds
    ]


def check_finding(machine: Machine, project: Path, problem: str, remedy: str) -> None:
    result = machine.run(project)
    assert result.returncode == 1
    assert result.stdout.count("WRONG") == 1, result.stdout
    _, _, wrong = result.stdout.partition("WRONG: ")
    first, *rest = wrong.splitlines()
    assert problem in first, result.stdout
    assert any("-> " in line and remedy in line for line in rest), result.stdout


@pytest.mark.parametrize(("fault", "build"), FAULTS, ids=lambda x: getattr(x, "__name__", x))
def test_a_fault_is_found_and_what_mends_it(fault, build, machine, projects):
    check_finding(machine, projects[build], *fault(machine))


@pytest.mark.parametrize(("variable", "value", "problem", "remedy", "build"), of_builds(VARIABLES))
def test_a_variable_is_refused(variable, value, problem, remedy, build, machine, projects):
    machine.environment[variable] = value
    found = [text.format(variable, value) for text in (problem, remedy)]
    check_finding(machine, projects[build], *found)


@pytest.mark.parametrize("build", COMPILED)
def test_a_variable_that_asks_for_something(build, machine, projects):
    no_nvcc(machine)
    for cpu_only, use_cuda, setting in [
        ("1", "1", "CPU_ONLY=1"),
        ("0", "0", ""),
        ("", "", ""),
        ("", "0", "USE_CUDA=0"),
    ]:
        machine.environment |= {"CPU_ONLY": cpu_only, "USE_CUDA": use_cuda}
        lines = machine.run(projects[build]).stdout
        assert (f"not needed: {setting}" in lines) == bool(setting), lines
        assert ("there is no" in lines) != bool(setting), lines


@pytest.mark.parametrize("build", COMPILED)
def test_force_cuda_refuses_to_leave_cuda_out(build, machine, projects):
    """Other extensions of PyTorch have this variable, which installers set."""
    machine.environment |= {"FORCE_CUDA": "1", "USE_CUDA": "0"}
    check_finding(machine, projects[build], "but USE_CUDA=0 leaves out", "unset USE_CUDA")
    machine.environment |= {"USE_CUDA": ""}
    assert "WRONG: FORCE_CUDA" not in machine.run(projects[build]).stdout
    machine.pytorch("2.13.0", None)
    check_finding(machine, projects[build], "this PyTorch has no CUDA", "install one that has")


@pytest.mark.parametrize(("program", "script", "problem", "remedy", "build"), of_builds(PROGRAMS))
def test_a_program_does_not_run(program, script, problem, remedy, build, machine, projects):
    machine.program(program, script, machine.toolkit / "bin" if program == "nvcc" else None)
    check_finding(machine, projects[build], problem, remedy)


# A doctor that waits for only a second.
IMPATIENT = """
import runpy, sys
doctor = runpy.run_path("my_ops/_kit/doctor.py")
doctor["ran"].__kwdefaults__["seconds"] = 1
sys.exit(doctor["report"]())
"""


@pytest.mark.parametrize("build", ["setuptools", "cmake", "nvrtc"])
def test_programs_that_hang(build, machine, projects):
    hangs = "exec /bin/sleep 100"
    machine.program("c++", hangs)
    machine.program("nvcc", hangs, machine.toolkit / "bin")
    machine.pytorch("2.13.0", "13.0", "import time\ntime.sleep(5)")
    lines = machine.run(projects[build], python=["-c", IMPATIENT]).stdout
    wrong = [line.split()[0] for line in lines.splitlines() if "WRONG: " in line]
    of_compilers = ["compiler", "nvcc"] if build != "nvrtc" else []
    assert wrong == ["pytorch", *of_compilers], lines
    assert lines.count("timed out after 1 seconds") == len(wrong), lines


def test_a_record_that_is_none(machine, projects):
    """The record is truncated, or belongs to another program."""
    code = "import runpy; print(runpy.run_path('my_ops/_kit/record.py')['stale']())"
    library = projects["setuptools"] / "my_ops/_C.so"
    library.touch()
    for text in ["", "{", "5", "[]", '{"sources": 5}']:
        library.with_suffix(".json").write_text(text)
        lines = machine.run(projects["setuptools"], python=["-c", code]).stdout
        assert lines.startswith("it is not known what"), lines
    library.unlink()


# The stand-in for PyTorch cannot be imported.
COMPILE = """
import runpy, sys, types
sys.modules["my_ops"] = types.SimpleNamespace(__path__=[])
build = types.SimpleNamespace(**runpy.run_path("my_ops/_kit/record.py"))
library = build.find_library()
library.write_bytes(b"libstdc++.so")
build.write_record(library, build.take_record(cuda=False))
"""


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_a_library_for_the_cpu_works_without_nvcc(build, machine, projects, tmp_path):
    """Compiled with CPU_ONLY=1, which is not set any more. The next build asks for nvcc."""
    no_nvcc(machine)
    machine.pytorch("2.13.0", "13.0", PYTORCH.replace("True", "False").replace("1", "0"))
    project = shutil.copytree(projects[build], tmp_path / "my_ops")
    works = "import sys\nif 'import my_ops' in sys.orig_argv: sys.modules['my_ops'] = sys"
    machine.file(machine.modules / "sitecustomize.py", works)
    machine.run(project, python=("-c", COMPILE))
    result = machine.run(project)
    assert result.returncode == 1 and result.stdout.count("WRONG") == 1, result.stdout
    assert "compiled for only the CPU; if that is intended, export CPU_ONLY=1\n" in result.stdout
    assert "\nimports     `import my_ops` works" in result.stdout
    machine.environment["CPU_ONLY"] = "1"
    result = machine.run(project)
    assert result.returncode == 0 and "compiled for only the CPU\n" in result.stdout, result.stdout


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_an_installed_package_that_the_repository_hides(build, machine, projects):
    """Python looks first where it is, with -m and with -c."""
    package = machine.modules / "my_ops"
    for name in ("__init__.py", "_C.so"):
        machine.file(package / name)
    problem = f"_C.so is missing, and its folder precedes {package} on sys.path"
    remedy = "start Python in another folder, or use `pytest`, not `python -m pytest`, or in "
    check_finding(machine, projects[build], problem, remedy)


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_an_installed_library_that_is_missing(build, machine, projects, tmp_path):
    """There is nothing here to compile, and no other PyTorch would help."""
    package = tmp_path / "site/my_ops"
    shutil.copytree(projects[build] / "my_ops", package, ignore=shutil.ignore_patterns("csrc"))
    again = "`pip install --force-reinstall --no-deps my_ops`"
    check_finding(machine, package.parent, f"{package}/_C.so is missing", again)


@pytest.mark.parametrize("build", BUILDS)
def test_nothing_is_wrong_but_that_it_is_not_compiled(build, machine, projects):
    """Nothing can be compiled with the stand-in for PyTorch."""
    lines = machine.run(projects[build]).stdout
    assert "PyTorch 2.13.0, CUDA: 13.0, GPU: NVIDIA H200, " in lines
    assert [line.split()[0] for line in lines.splitlines() if "WRONG" in line] == [
        "library" if build in ("setuptools", "cmake") else "imports"
    ], lines


def test_cmake_is_told_of_another_nvcc(machine, projects, tmp_path):
    other = tmp_path / "other"
    machine.program("nvcc", "echo 'release 13.1, V13.1.0'", other)
    machine.environment["CUDACXX"] = str(other / "nvcc")
    assert f"release 13.1, V13.1.0, {other}/nvcc\n" in machine.run(projects["cmake"]).stdout
    machine.program("nvcc-13.1", "echo 'release 13.1, V13.1.0'")
    machine.environment["CUDACXX"] = "nvcc-13.1 -ccbin g++"
    found = f"release 13.1, V13.1.0, {machine.programs}/nvcc-13.1\n"
    assert found in machine.run(projects["cmake"]).stdout


def calls(nvcc: Path) -> str:
    """Return a script, as of modules, conda and ccache, that calls an nvcc."""
    top = f"echo '#$ TOP={nvcc.parent}/..' >&2"
    return f'[ "$1" = --dryrun ] && {top} || exec {nvcc} "$@"'


@pytest.mark.parametrize("build", COMPILED)
def test_nvcc_on_path_is_a_script(build, machine, projects, tmp_path):
    """It prints in which toolkit the nvcc is that it calls. CUDA_HOME may have one, too."""
    del machine.environment["CUDA_HOME"]
    nvcc = f"release 13.0, V13.0.88, {machine.toolkit}/bin/nvcc\n"
    machine.program("nvcc", calls(machine.toolkit / "bin/nvcc"))
    assert nvcc in machine.run(projects[build]).stdout
    machine.environment["CUDA_HOME"] = str(tmp_path)
    assert nvcc in machine.run(projects[build]).stdout


@pytest.mark.parametrize("build", COMPILED)
def test_nvcc_on_path_is_a_link(build, machine, projects):
    del machine.environment["CUDA_HOME"]
    (machine.programs / "nvcc").symlink_to(machine.toolkit / "bin/nvcc")
    assert f"V13.0.88, {machine.toolkit}/bin/nvcc\n" in machine.run(projects[build]).stdout


@pytest.mark.parametrize("build", COMPILED)
def test_nvcc_that_does_not_fit_is_passed_over(build, machine, projects, tmp_path):
    """It has no headers, or is of another CUDA, or does not run; the next one on PATH fits."""
    del machine.environment["CUDA_HOME"]
    machine.programs = Path(f"{machine.programs}:{tmp_path}/old/bin:{machine.toolkit}/bin")
    for script, header in {
        "echo release 13.0, V13.0.1": "elsewhere/cuda_runtime.h",
        "echo release 12.8, V12.8.93": "include/cuda_runtime.h",
        "exit 1": "include/cuda_runtime.h",
    }.items():
        machine.program("nvcc", script, tmp_path / "old/bin")
        machine.file(tmp_path / "old" / header)
        assert f"V13.0.88, {machine.toolkit}/bin/nvcc\n" in machine.run(projects[build]).stdout


@pytest.mark.parametrize("build", COMPILED)
def test_nvcc_without_headers(build, machine, projects):
    """Some packages have only the compiler. conda has headers in targets/."""
    (machine.toolkit / "include/cuda_runtime.h").unlink()
    problem = f"{machine.toolkit}/bin/nvcc is not in a CUDA toolkit, which has bin/nvcc and include"
    check_finding(machine, projects[build], problem, "unset CUDA_HOME && python -m my_ops.doctor")
    machine.program("nvcc", "echo nvcc fatal: no g++", machine.toolkit / "bin")
    assert "include/cuda_runtime.h: nvcc fatal: no g++\n" in machine.run(projects[build]).stdout
    machine.nvcc("13.0")
    (machine.toolkit / "include/cuda_runtime.h").unlink()
    machine.file(machine.toolkit / "targets/x86_64-linux/include/cuda_runtime.h")
    assert f"V13.0.88, {machine.toolkit}/bin/nvcc\n" in machine.run(projects[build]).stdout


@pytest.mark.parametrize("build", COMPILED)
def test_only_nvcc_of_path_runs(build, machine, projects, tmp_path):
    """PATH names a folder beside bin/, and folders that others may write to: the current one, and a relative one."""
    del machine.environment["CUDA_HOME"]
    project = shutil.copytree(projects[build], tmp_path / "project")
    (tmp_path / "opt/tools").mkdir(parents=True)
    places = [tmp_path / "opt", project / "relative", project]
    for home in places:
        machine.file(home / "include/cuda_runtime.h")
        machine.program("nvcc", f"> {tmp_path}/ran; echo release 13.0", home / "bin")
    machine.program("nvcc", f"> {tmp_path}/ran", project)
    machine.programs = Path(f"{machine.programs}:{tmp_path}/opt/tools:relative/bin:bin::.")
    text = machine.run(project).stdout
    assert "nvcc        " in text and not (tmp_path / "ran").exists(), text
    machine.programs = Path(f"{machine.programs}:{tmp_path}/opt/bin")
    assert f"release 13.0, {tmp_path}/opt/bin/nvcc\n" in machine.run(project).stdout


# Makes a toolkit ready for linkers, as a build does.
READY = "import runpy; runpy.run_path('my_ops/_kit/doctor.py')['fitting_nvcc']('13.0')"


@pytest.mark.parametrize("build", COMPILED)
def test_the_nvcc_of_pip(build, machine, projects):
    """It is found without CUDA_HOME. A build adds two names that linkers look for, and the doctor does not."""
    project = projects[build]
    packages = machine.run(project, "--nvcc").stdout.split()
    assert packages == [
        "cuda-toolkit[nvcc,cccl]==13.0.*",
        "nvidia-cuda-crt==13.0.*",
        "nvidia-nvvm==13.0.*",
    ]
    home = machine.modules / "nvidia/cu13"
    machine.program("nvcc", "echo release 13.0, of pip", home / "bin")
    machine.file(home / "include/cuda_runtime.h")
    machine.file(home / "lib/libcudart.so.13", "the library")
    assert f"release 13.0, V13.0.88, {machine.toolkit}/bin/nvcc\n" in machine.run(project).stdout
    del machine.environment["CUDA_HOME"]
    # As in a container for another CUDA, whose nvcc is on PATH.
    machine.program("nvcc", "echo release 12.8, V12.8.93", machine.toolkit / "bin")
    (machine.programs / "nvcc").symlink_to(machine.toolkit / "bin/nvcc")
    before = sorted(home.rglob("*"))
    for _ in range(2):
        assert f"release 13.0, of pip, {home}/bin/nvcc\n" in machine.run(project).stdout
    assert sorted(home.rglob("*")) == before
    for _ in range(2):
        assert machine.run(project, python=("-c", READY)).stdout == ""
    assert (home / "lib64/libcudart.so").read_text() == "the library"
    machine.pytorch("2.13.0", "12.8")
    text = machine.run(project).stdout
    assert f" {machine.toolkit}/bin/nvcc\n" in text and f"{home}/bin/nvcc" not in text


@pytest.mark.parametrize("build", COMPILED)
def test_an_environment_that_cannot_be_written(build, machine, projects):
    """For example, the folder of another user. Here `lib` is a file, because root may write to any folder."""
    home = machine.modules / "nvidia/cu13"
    machine.program("nvcc", "echo release 13.0", home / "bin")
    machine.file(home / "include/cuda_runtime.h")
    (home / "lib64").symlink_to("lib")
    machine.file(home / "lib")
    del machine.environment["CUDA_HOME"]
    link = home / "lib/libcudart.so"
    problem = f"linkers look for {link}, which cannot be made: {home}/lib is not writable"
    remedy = f"as the owner of {link.parent}: ln -s libcudart.so.13 '{link}'"
    check_finding(machine, projects[build], problem, remedy)
    build_says = machine.run(projects[build], python=("-c", READY)).stdout
    assert f"linkers look for {link}, which cannot be made: Not a directory" in build_says
    assert f"-> {remedy}\n" in build_says


@pytest.mark.parametrize("build", COMPILED)
def test_where_pip_has_no_nvcc_it_says_so(build, machine, projects):
    """Other packages that pip installed do not change this."""
    machine.program("nvcc", "true", machine.modules / "nvidia/cu13/bin")
    for cuda, answer in {
        None: "There is no PyTorch with CUDA here, so no nvcc is needed.\n",
        "12.6": "PyPI has no nvcc of CUDA 12.6: install the CUDA 12.6 toolkit, https://",
    }.items():
        machine.pytorch("2.13.0", cuda)
        refused = machine.run(projects[build], "--nvcc")
        assert refused.returncode == 1 and refused.stdout.startswith(answer), refused.stdout


def test_a_question_that_it_does_not_know(machine, projects):
    """Such as --cuda-home of 0.6.0: a script that exports the answer exports nothing."""
    refused = machine.run(projects["setuptools"], "--cuda-home", stderr=subprocess.PIPE)
    assert refused.returncode == 1 and "my_ops.doctor --nvcc " in refused.stderr, refused.stderr
    assert refused.stdout == ""


def test_help(machine, projects):
    shown = machine.run(projects["setuptools"], "--help")
    assert shown.returncode == 0 and "my_ops.doctor --nvcc " in shown.stdout, shown.stdout


@pytest.mark.parametrize("build", BUILDS)
def test_a_failed_import_points_to_it(build, machine, projects):
    no_pytorch(machine)
    command = [sys.executable, "-c", "import my_ops"]
    environment = os.environ | {"PYTHONPATH": str(machine.modules)}
    result = subprocess.run(
        command, cwd=projects[build], env=environment, capture_output=True, text=True, check=False
    )
    last = result.stderr.splitlines()[-1]
    assert "No module named 'torch'" in last and "`python -m my_ops.doctor`" in last


def test_a_build_that_finds_no_pytorch(projects):
    """pip's build environment hides PyTorch unless it gets `--no-build-isolation`."""
    command = [sys.executable, "-S", "my_ops/_kit/record.py", "prepare", "build"]
    result = subprocess.run(
        command, cwd=projects["cmake"], capture_output=True, text=True, check=False
    )
    last = result.stderr.splitlines()[-1]
    assert "finds no PyTorch: install torch first" in last and "--no-build-isolation`" in last


@pytest.mark.parametrize("build", COMPILED)
def test_a_free_threaded_python(build, machine, tmp_path):
    machine.file(machine.modules / "sitecustomize.py", FREE_THREADED)
    project = render(tmp_path / "my_ops", {"build": build, "binding": "pybind11"})
    lines = machine.run(project).stdout.splitlines()
    assert "is free-threaded, and a pybind11 module turns on its GIL" in lines[0], lines
    assert "-> or copier update --data binding=torch_library" in lines[2], lines
