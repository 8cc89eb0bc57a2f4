"""Builds a rendered project and runs it by the commands of its README."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from updating import replace

from variants import Variant

# Prints 6.0, or other sums after an edit of the formula.
EDITED = "import my_ops, torch; x = torch.ones(3); print(my_ops.muladd(x, x, 1.0).sum().item())"


@cache
def python() -> str:
    """Return the Python to install projects into, this process's own."""
    return new_python()


def new_python() -> str:
    """Return a Python to install projects into, with all that this one has."""
    folder = Path(tempfile.mkdtemp(prefix="python-"))
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    here = sysconfig.get_path("purelib")
    # PyTorch and its compiler make a million objects, among which Python looks for garbage at each 700th.
    seldom = "import gc; gc.set_threshold(100_000, 20, 100)"
    (site / "here.pth").write_text(f"import site; site.addsitedir({here!r})\n{seldom}\n")
    return str(folder / "bin" / "python")


# What torch.compile starts PyTorch in other processes for, which takes seconds of each: to find out that the C++ compiler
# knows the vector instructions of this machine, and to compile several kernels at a time. And threads of OpenMP that wait
# for others sleep: they spin otherwise, for most of the time where more processes compute than there are cores.
FASTER = {
    "TORCHINDUCTOR_VEC_ISA_OK": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "OMP_WAIT_POLICY": "passive",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # no project needs the plugins of this environment
}

CPU_ONLY = os.environ.get("CPU_ONLY") == "1"


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    most = os.environ.get("MAX_JOBS", "2")
    jobs = {"MAX_JOBS": most, "CMAKE_BUILD_PARALLEL_LEVEL": most}
    # As the compilers of Ubuntu and conda do by themselves: libraries that no symbol comes from, such as
    # libtorch, are left out.
    linker = {"LDFLAGS": "-Wl,--as-needed"}
    # A project's tests compile its .cu files where the build leaves them out: here, build_cuda and compilers show that.
    nvcc = {"CUDA_HOME": os.devnull} if command[0] == "pytest" and CPU_ONLY else {}
    return subprocess.run(
        [python(), "-m", *command] if command[0] in ("pip", "pytest") else command,
        cwd=cwd,
        env=os.environ | jobs | linker | nvcc | FASTER | environment,
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


# g++, which reads the headers of PyTorch once for all files of a project: it takes tensors.h.gch in place of tensors.h,
# where nothing was read before.
PRECOMPILING = """\
#!/bin/bash
exec 9> "$0.lock" && flock 9
if [[ $* == *.cpp* && ! -e "{header}.gch" ]]; then
  words=()
  for word; do
    case $word in
      *.cpp) words+=(-x c++-header "{header}") ;;
      *.o) words+=("{header}.gch") ;;
      *) words+=("$word") ;;
    esac
  done
  g++ "${{words[@]}}" -w || exit
fi
exec 9>&-
exec g++ -Winvalid-pch -include "{header}" "$@"
"""


def compile_faster(project: Path) -> None:
    """Compile the C++ of a project of many operators in half of the time; how it is optimized, variants show.

    No header may be edited after the first build: g++ does not see that it changed.
    """
    if not (project / "setup.py").exists():  # load_inline compiles one file
        replace(project / "my_ops/_kit/extension.py", '"-O3"', '"-O1"')
        return
    setup, compiler = project / "setup.py", project / "build" / "g++"
    compiler.parent.mkdir()
    compiler.write_text(PRECOMPILING.format(header=next(project.rglob("tensors.h"))))
    compiler.chmod(0o755)
    replace(setup, '"-O3"', '"-O1"')
    first = "\nimport runpy\n"
    replace(setup, first, f'\nimport os{first}\nos.environ["CXX"] = {str(compiler)!r}\n')


def install(project: Path, **environment: str) -> subprocess.CompletedProcess:
    """Install by the README's command into this environment, which has PyTorch and the build tools."""
    command = next(line for line in readme_commands(project) if " -e " in line)
    arguments = command.replace('"', "").split()
    return run(*arguments, "-v", "-q", cwd=project, **environment)


def each(variants: list[Variant]) -> list:
    """Return parameters for variants; the tests of a variant run in one process, which installs it."""
    return [pytest.param(v, id=str(v), marks=pytest.mark.xdist_group(str(v))) for v in variants]


def with_each(variants: list[Variant]) -> pytest.MarkDecorator:
    """Let a test run with some of the variants, each built once for all tests."""
    return pytest.mark.parametrize("variant", each(variants), indirect=True, scope="session")


def ran_tests(project: Path, *selection: str) -> Counter[str]:
    """Build a project, run its tests, and return how many ran of each of its files."""
    result = install(project)
    assert result.returncode == 0, result.stdout[-6000:]
    return count_of_tests(project, *selection)


def count_of_tests(project: Path, *selection: str, **environment: str) -> Counter[str]:
    """Run tests of a project that is built, and return how many ran of each of its files."""
    report = project / "report.xml"
    succeed("pytest", "-q", f"--junitxml={report}", *selection, cwd=project, **environment)
    cases = ElementTree.parse(report).getroot().iter("testcase")
    ran = [case.get("classname") for case in cases if case.find("skipped") is None]
    return Counter(name.partition(".Test")[0] for name in ran)


def failures(report: Path) -> dict[str, list[str]]:
    """Return the names of the tests that failed, by operator."""
    found: dict[str, list[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            name = case.get("classname").rpartition("test_")[2].partition(".Test")[0]
            found.setdefault(name, []).append(case.get("name"))
    return found


def as_one_source(project: Path, ops: Iterable[str]) -> None:
    """Let one file include the sources of these operators, which compiles in a third of the time."""
    csrc = project / "my_ops/csrc"
    included = []
    for path in sorted(path for op in ops for path in csrc.glob(f"{op}/*.cpp")):
        included.append(path.rename(path.with_suffix(".inc")))
    lines = [f'#include "{path.relative_to(csrc)}"\n' for path in included]
    (csrc / "all.cpp").write_text("".join(lines))


# How a build begins, soonest.
BEGIN = {
    "setuptools": [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
    "cmake": ["cmake", "--fresh", "-B", "build", f"-DPython_EXECUTABLE={sys.executable}"],
}
IMPORT = [sys.executable, "-c", "import my_ops"]

# The text of torch/version.py, for readers and for programs that import PyTorch, which takes a second each time.
READ = """
import runpy

run_path = runpy.run_path
runpy.run_path = lambda path: run_path(path) | {facts}
"""

# A free-threaded Python, which has no abi3, to all who ask.
FREE_THREADED = """
import sysconfig
from importlib import machinery

sysconfig.get_config_vars()["Py_GIL_DISABLED"] = 1
machinery.EXTENSION_SUFFIXES.remove(".abi3.so")
"""


def refusal(project: Path, build: str, **environment: str) -> str:
    """Return the output of a build that fails, on one line."""
    extensions = {"TORCH_EXTENSIONS_DIR": str(project.parent / "extensions"), "CPU_ONLY": "1"}
    result = subprocess.run(
        BEGIN.get(build, IMPORT),
        cwd=project,
        env=os.environ | extensions | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode != 0, result.stdout
    return " ".join(result.stdout.split())
