"""`python -m my_ops.doctor` finds each fault, made on purpose, and names what mends it. Nothing is compiled.

Compilers, PyTorch and GPUs are stand-ins. tests/build/test_build.py asks the doctor of libraries that are built.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from building import FREE_THREADED
from render import render

from variants import BUILDS

COMPILED = [build for build in BUILDS if build != "nvrtc"]


class Machine:
    """A machine on which nothing is wrong, until a test breaks it."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.modules = folder / "modules"
        self.toolkit = folder / "cuda"
        jobs = {"MAX_JOBS": "1", "CMAKE_BUILD_PARALLEL_LEVEL": "1"}
        self.environment = {"CUDA_HOME": str(self.toolkit), **jobs}
        self.gcc("12")
        self.program("ninja", "echo 1.13.0")
        self.program("cmake", "echo cmake version 4.1.0")
        self.file(self.modules / "scikit_build_core/__init__.py")
        self.nvcc("13.0")
        self.file(self.toolkit / "include/cuda_runtime.h")
        self.file(self.toolkit / "lib64/libcudart.so")
        self.pytorch("2.13.0", "13.0")

    def file(self, path: Path, text: str = "") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def program(self, name: str, script: str, folder: Path | None = None) -> None:
        path = (folder or self.programs) / name
        self.file(path, f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def gcc(self, major: str) -> None:
        self.program(
            "c++",
            f'[ "$1" = --version ] && echo "c++ (GCC) {major}.1.0" || echo "#define __GNUC__ {major}"',
        )

    def nvcc(self, release: str) -> None:
        script = (
            f"[ $1 = --version ] && echo 'Cuda compilation tools, release {release}, V{release}.88'"
        )
        self.program("nvcc", script, self.toolkit / "bin")

    def pytorch(self, version: str, cuda: str | None, code: str = "") -> None:
        self.file(self.modules / "torch/__init__.py", code)
        self.file(
            self.modules / "torch/version.py", f"__version__ = {version!r}\ncuda = {cuda!r}\n"
        )

    def gpu(self, driver: str) -> None:
        self.program("nvidia-smi", f"echo 'NVIDIA H200, {driver}, 9.0'")

    def run(
        self, project: Path, *arguments: str, python: tuple[str, ...] = ("-m", "my_ops.doctor")
    ) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, *python, *arguments],
            cwd=project,
            env={"PATH": str(self.programs), "PYTHONPATH": str(self.modules), **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
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
    return f"there is no {machine.toolkit}/bin/nvcc", "--nvcc | xargs -r pip install"


def no_nvcc_of_cuda_12(machine):
    machine.pytorch("2.13.0", "12.6")
    (machine.toolkit / "bin/nvcc").unlink()
    return "PyTorch has CUDA 12.6, but there is no", "install the CUDA 12.6 toolkit, https://"


def nvcc_of_another_major_version(machine):
    machine.nvcc("12.8")
    return "PyTorch has CUDA 13.0, but", "export CUDA_HOME=$(python -m my_ops.doctor --cuda-home)"


def nothing_to_link_with(machine):
    (machine.toolkit / "lib64/libcudart.so").unlink()
    return "has no lib64/libcudart.so to link with", "--cuda-home"


OF_COMPILERS = [
    old_compiler,
    no_compiler,
    no_ninja,
    no_nvcc,
    no_nvcc_of_cuda_12,
    nvcc_of_another_major_version,
    nothing_to_link_with,
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


def old_python(machine):
    # As Python 3.9 is: it knows its version, and not by which words it was called.
    code = "import sys\nsys.version_info = (3, 9, 2, 'final', 0)\ndel sys.orig_argv\n"
    machine.file(machine.modules / "sitecustomize.py", code)
    return "Python 3.9.2 is too old", "python3.12 -m venv"


def old_driver(machine):
    machine.gpu("550.54.15")
    return "driver 550.54.15 of NVIDIA H200 is too old: CUDA 13.0 needs 580", "https://www.nvidia"


def pytorch_without_cuda(machine):
    machine.pytorch("2.13.0", None)
    machine.gpu("580.65.06")
    return "NVIDIA H200, but no PyTorch with CUDA", "https://pytorch.org/get-started"


def updated_driver(machine):
    words = "Failed to initialize NVML: Driver/library version mismatch"
    machine.program("nvidia-smi", f"echo '{words}'; echo 'NVML library version: 580.95'; exit 18")
    return f"nvidia-smi fails (18): {words}", "reboot, if the driver was updated"


def pytorch_whose_version_cannot_be_read(machine):
    machine.file(machine.modules / "torch/version.py", "import missing_part\n")
    return "has no version.py that can be read: No module named 'missing_part'", "--force-reinstall"


OF_ALL = [
    updated_driver,
    no_pytorch,
    old_pytorch,
    pytorch_that_cannot_be_imported,
    old_python,
    old_driver,
    pytorch_without_cuda,
]
FAULTS = [(f, b) for f in OF_ALL for b in BUILDS] + [(f, b) for f in OF_COMPILERS for b in COMPILED]
FAULTS += [(no_cmake, "cmake"), (no_build_backend, "cmake")]

BY_NINJA = [build for build in COMPILED if build != "cmake"]
CMAKE = ["cmake"]
WORDS = "{0} is '{1}', which is taken for the name of one program", 'exec {1} "$@"'
NUMBER = "{0} is '{1}', and no number of compilers", "unset {0}"
SWITCH = "{0} is '{1}', and neither 1 nor 0", "export {0}=1"
MANY = "100000 compilers at a time may take 100000 GiB", "export {0}="
# Of environment variables: what they are, what is found, what mends it.
VARIABLES = [
    ("CXX", "ccache c++", *WORDS, BY_NINJA),
    ("CC", "gcc -m64", *WORDS, BY_NINJA),
    ("PYTORCH_NVCC", "ccache nvcc", "{1} does not run: [Errno 2]", "{1} --version", BY_NINJA),
    ("CUDAHOSTCXX", "ccache g++", *WORDS, CMAKE),
    ("CUDACXX", "ccache nvcc", *WORDS, CMAKE),
    *(
        (
            name,
            "ccache -x",
            "{0} is '{1}', and there is no program",
            "export {0}='ccache;-x'",
            CMAKE,
        )
        for name in ("CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_CUDA_COMPILER_LAUNCHER")
    ),
    ("CXX", "'c++", "and no command: No closing quotation", "unset CXX", COMPILED),
    *(("CPU_ONLY", value, *SWITCH, COMPILED) for value in ("true", "1 ")),
    ("MY_OPS_REBUILD", "true", *SWITCH, ["setuptools"]),
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
        "c++ does not run: no libmpc",
        "c++ --version",
        COMPILED,
    ),
    ("nvcc", "exit 1", "nvcc does not run", "nvcc --version", COMPILED),
    ("nvcc", "echo Refused; exit 126", "nvcc does not run: Refused", "nvcc --version", COMPILED),
    ("ninja", "echo Refused; exit 1", "ninja does not run: Refused", "reinstall ninja", COMPILED),
    ("cmake", "echo Refused; exit 1", "cmake does not run: Refused", "reinstall cmake", CMAKE),
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
    for value, asks in {"1": True, "0": False, "": False}.items():
        machine.environment["CPU_ONLY"] = value
        lines = machine.run(projects[build]).stdout
        assert ("not needed: CPU_ONLY=1" in lines) == asks, lines
        assert ("there is no" in lines) != asks, lines


@pytest.mark.parametrize(("program", "script", "problem", "remedy", "build"), of_builds(PROGRAMS))
def test_a_program_does_not_run(program, script, problem, remedy, build, machine, projects):
    machine.program(program, script, machine.toolkit / "bin" if program == "nvcc" else None)
    check_finding(machine, projects[build], problem, remedy)


# A doctor that waits for a second alone.
IMPATIENT = """
import runpy, sys
doctor = runpy.run_path("my_ops/doctor.py")
doctor["ran"].__globals__.update(SECONDS=1, SECONDS_TO_COMPILE=1)
sys.exit(doctor["report"]())
"""


@pytest.mark.parametrize("build", ["setuptools", "cmake", "nvrtc"])
def test_programs_that_hang(build, machine, projects):
    hangs = "exec /bin/sleep 100"
    for name in ["c++", "ninja", "cmake", "nvidia-smi"]:
        machine.program(name, hangs)
    machine.program("nvcc", hangs, machine.toolkit / "bin")
    machine.pytorch("2.13.0", "13.0", "import time\ntime.sleep(100)")
    lines = machine.run(projects[build], python=["-c", IMPATIENT]).stdout
    wrong = [line.split()[0] for line in lines.splitlines() if "WRONG: " in line]
    of_compilers = ["compiler", "ninja", "nvcc"] if build != "nvrtc" else []
    assert wrong == ["pytorch", *["backend"] * (build == "cmake"), *of_compilers, "gpu"], lines
    assert lines.count(": no answer in 1 seconds") == len(wrong), lines


@pytest.mark.parametrize("build", ["jit", "nvrtc"])
def test_an_import_that_hangs(build, machine, projects):
    hangs = "import sys, time\nif 'import my_ops' in sys.orig_argv: time.sleep(100)"
    machine.pytorch("2.13.0", "13.0", hangs)
    lines = machine.run(projects[build], python=["-c", IMPATIENT]).stdout
    assert "WRONG: `import my_ops` fails: no answer in 1 seconds" in lines, lines


def test_a_record_that_is_none(machine, projects):
    """Of what a library was compiled from: a file that is cut off, or another program's."""
    code = "import runpy; print(runpy.run_path('my_ops/_build.py')['stale']())"
    library = projects["setuptools"] / "my_ops/_C.so"
    library.touch()
    for text in ["", "{", "5", "[]", '{"sources": 5}']:
        library.with_suffix(".json").write_text(text)
        lines = machine.run(projects["setuptools"], python=["-c", code]).stdout
        assert lines.startswith("it is not known what"), lines
    library.unlink()


# What stands in for PyTorch can't be imported with.
COMPILE = """
import runpy, sys, types
sys.modules["my_ops"] = types.SimpleNamespace(__path__=[])
build = types.SimpleNamespace(**runpy.run_path("my_ops/_build.py"))
library = build.find_library()
library.write_bytes(b"libstdc++.so")
build.write_record(library, build.take_record(cuda=False))
"""


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_a_library_for_the_cpu_works_without_nvcc(build, machine, projects, tmp_path):
    """Compiled with CPU_ONLY=1, which is not set any more. The next build asks for nvcc."""
    no_nvcc(machine)
    project = shutil.copytree(projects[build], tmp_path / "my_ops")
    works = "import sys\nif 'import my_ops' in sys.orig_argv: sys.modules['my_ops'] = sys"
    machine.file(machine.modules / "sitecustomize.py", works)
    machine.run(project, python=("-c", COMPILE))
    result = machine.run(project)
    assert result.returncode == 1 and result.stdout.count("WRONG") == 1, result.stdout
    assert "compiled for the CPU alone; if that is meant, export CPU_ONLY=1\n" in result.stdout
    assert "\nimports     `import my_ops` works" in result.stdout
    machine.environment["CPU_ONLY"] = "1"
    result = machine.run(project)
    assert result.returncode == 0 and "compiled for the CPU alone\n" in result.stdout, result.stdout


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_an_installed_package_that_the_repository_hides(build, machine, projects):
    """Python looks first where it is, with -m and with -c."""
    package = machine.modules / "my_ops"
    for name in ("__init__.py", "_C.so"):
        machine.file(package / name)
    problem = (
        f"_C.so is not compiled yet, and its folder comes before {package}, which is installed"
    )
    remedy = "use another folder, or `pytest` for `python -m pytest`, or in "
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
    """What stands in for PyTorch can't be compiled against."""
    machine.gpu("580.65.06")
    lines = machine.run(projects[build]).stdout
    assert "NVIDIA H200 (9.0), driver 580.65.06" in lines
    assert [line.split()[0] for line in lines.splitlines() if "WRONG" in line] == [
        "library" if build in ("setuptools", "cmake") else "imports"
    ], lines


@pytest.mark.parametrize("build", BUILDS)
def test_a_free_threaded_python(build, machine, projects, tmp_path):
    machine.file(machine.modules / "sitecustomize.py", FREE_THREADED)
    lines = machine.run(projects[build]).stdout.splitlines()
    assert re.match(r"python      Python [\d.]+, free-threaded, /", lines[0]), lines
    if build in COMPILED:
        project = render(tmp_path / "my_ops", {"build": build, "binding": "pybind11"})
        lines = machine.run(project).stdout.splitlines()
        assert "is free-threaded, and a pybind11 module turns on its GIL" in lines[0], lines
        assert "-> or copier update --data binding=torch_library" in lines[2], lines


@pytest.mark.parametrize("build", BUILDS)
def test_what_programs_say_is_no_traceback(build, machine, projects):
    """nvidia-smi has no numbers for some GPUs, and files may be anything."""
    machine.program("nvidia-smi", "echo 'Orin (nvgpu), [N/A], [N/A]'")
    lines = machine.run(projects[build]).stdout
    assert "Orin (nvgpu) (compute capability unknown), driver [N/A]" in lines, lines
    machine.program("nvidia-smi", "echo 'has failed because it could not reach the driver'; exit 9")
    lines = machine.run(projects[build]).stdout
    assert "operators run on the CPU (nvidia-smi: has failed because" in lines, lines
    machine.program("nvidia-smi", "printf '\\377\\376 garbage, of, bytes\\n'")
    pytorch_whose_version_cannot_be_read(machine)
    lines = machine.run(projects[build]).stdout
    assert "WRONG: " in lines and "version.py that can be read" in lines, lines
    assert "Traceback" not in lines, lines


@pytest.mark.parametrize("build", [build for build in COMPILED if build != "cmake"])
def test_a_script_beside_which_no_headers_are_is_found_out(build, machine, projects, tmp_path):
    """As some machines have it in /usr/local/bin. CMake asks nvcc itself where its headers are."""
    del machine.environment["CUDA_HOME"]
    (machine.toolkit / "bin/nvcc").unlink()
    top = f"echo '#$ TOP={machine.toolkit}/bin/..' >&2"
    machine.program("nvcc", f"[ $1 = --version ] && echo 'release 13.0, V13.0.88' || {top}")
    result = machine.run(projects[build]).stdout
    assert f"not the headers: {tmp_path}/include/cuda_runtime.h" in result
    assert f"-> export CUDA_HOME={machine.toolkit}\n" in result
    machine.environment["CUDA_HOME"] = str(machine.toolkit)
    machine.nvcc("13.0")
    assert "headers" not in machine.run(projects[build]).stdout
    assert f"nvcc 13.0, {machine.toolkit}/bin/nvcc" in machine.run(projects[build]).stdout


def test_cmake_is_told_of_another_nvcc(machine, projects, tmp_path):
    other = tmp_path / "other"
    machine.program("nvcc", "echo 'release 13.1, V13.1.0'", other)
    machine.environment["CUDACXX"] = str(other / "nvcc")
    assert f"nvcc 13.1, {other}/nvcc\n" in machine.run(projects["cmake"]).stdout


def test_a_compiler_of_pip_without_its_libraries(machine, projects):
    home = machine.modules / "nvidia/cu13"
    machine.program("nvcc", "true", home / "bin")
    for build in COMPILED:
        assert machine.run(projects[build], "--cuda-home").stdout == f"{home}\n"


def test_the_nvcc_of_pip(machine, projects):
    """With the two names that linkers look for, which its packages lack."""
    for build in COMPILED:
        packages = machine.run(projects[build], "--nvcc").stdout.split()
        assert packages == [
            "cuda-toolkit[nvcc,cccl]==13.0.*",
            "nvidia-cuda-crt==13.0.*",
            "nvidia-nvvm==13.0.*",
        ]
        missing = machine.run(projects[build], "--cuda-home")
        assert missing.returncode == 1 and "--nvcc | xargs -r pip install" in missing.stdout
    home = machine.modules / "nvidia/cu13"
    machine.program("nvcc", "true", home / "bin")
    machine.file(home / "lib/libcudart.so.13", "the library")
    for build in COMPILED:
        assert machine.run(projects[build], "--cuda-home").stdout == f"{home}\n"
    assert (home / "lib64/libcudart.so").read_text() == "the library"


@pytest.mark.parametrize("question", ["--nvcc", "--cuda-home"])
@pytest.mark.parametrize("build", COMPILED)
def test_where_pip_has_no_nvcc_both_questions_say_so(build, question, machine, projects):
    """Whatever else pip installed: neither sends to the other."""
    machine.program("nvcc", "true", machine.modules / "nvidia/cu13/bin")
    for cuda, answer in {
        None: "There is no PyTorch with CUDA here, so no nvcc is needed.\n",
        "12.6": "PyPI has no nvcc of CUDA 12.6: install the CUDA 12.6 toolkit, https://",
    }.items():
        machine.pytorch("2.13.0", cuda)
        refused = machine.run(projects[build], question)
        assert refused.returncode == 1 and refused.stdout.startswith(answer), refused.stdout
    pytorch_whose_version_cannot_be_read(machine)
    refused = machine.run(projects[build], question)
    assert "version.py that can be read" in refused.stdout.splitlines()[0]
    assert "-> pip install --force-reinstall torch" in refused.stdout


@pytest.mark.parametrize("build", BUILDS)
def test_an_old_python_reads_it(build, projects):
    for name in ["__init__.py", "doctor.py"]:
        ast.parse((projects[build] / "my_ops" / name).read_text(), feature_version=(3, 9))


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


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_a_build_that_finds_no_pytorch(build, projects):
    """As that of pip, which hides PyTorch unless it is told not to."""
    command = [sys.executable, "-S", "my_ops/_build.py"]
    result = subprocess.run(
        command, cwd=projects[build], capture_output=True, text=True, check=False
    )
    last = result.stderr.splitlines()[-1]
    assert "finds no PyTorch: install torch first" in last and "--no-build-isolation`" in last
