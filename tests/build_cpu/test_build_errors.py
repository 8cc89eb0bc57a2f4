"""A build that fails prints the compiler's lines and a sentence. Each fault is made on purpose."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import torch
from building import python, refusal, succeed
from render import render
from updating import replace

HEADER = "my_ops/csrc/muladd/muladd.h"
KERNELS = "my_ops/csrc/muladd/muladd_cpu.cpp"
BEGINNING = "namespace my_ops {\n"
PYTEST = [sys.executable, "-m", "pytest", "-q", "tests/test_package.py", "-k", "interpreter"]
IMPORT = [sys.executable, "-c", "import my_ops"]
BUILD_EXT = [sys.executable, "setup.py", "build_ext", "--inplace"]
# Each way in which an author may meet a fault.
WAYS = [
    ("setuptools", PYTEST),
    ("setuptools", IMPORT),
    ("setuptools", BUILD_EXT),
    ("jit", PYTEST),
    ("jit", IMPORT),
    ("inline", PYTEST),
    ("inline", IMPORT),
]


class Project:
    def __init__(self, folder: Path, build: str):
        # The binding that is compiled soonest.
        answers = {"build": build, "binding": "torch_stable", "autograd": "none"}
        self.build = build
        self.path = render(folder / build / "my_ops", answers)
        self.extensions = folder / build / "extensions"
        self.flags = "setup.py" if build == "setuptools" else "my_ops/_library.py"
        edited = [name for name in (HEADER, KERNELS, self.flags) if (self.path / name).exists()]
        self.before = {name: (self.path / name).read_text() for name in edited}

    def output(
        self,
        command: list[str],
        fails: bool = True,
        commands: bool = False,
        **environment: str,
    ) -> list[str]:
        """Return the lines that a command prints, in which commands of compilers are expected or not."""
        own = {
            "MY_OPS_REBUILD": "1",
            "TORCH_EXTENSIONS_DIR": str(self.extensions),
            "MAX_JOBS": "2",
            "CPU_ONLY": "1",
            "LC_ALL": "C.UTF-8",
        }
        result = subprocess.run(
            command,
            cwd=self.path,
            env=os.environ | own | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (result.returncode != 0) == fails, result.stdout
        # The output of a build contains no command of a compiler.
        shown = ["FAILED:", "ninja:"] if commands else ["FAILED:", "ninja:", "-O3"]
        assert not any(word in result.stdout for word in shown), result
        return result.stdout.strip().splitlines()

    def edit(self, name: str, old: str, new: str) -> None:
        replace(self.path / name, old, new)

    def mend(self) -> None:
        for name, text in self.before.items():
            (self.path / name).write_text(text)


@pytest.fixture(scope="module")
def projects(tmp_path_factory) -> dict[str, Project]:
    folder = tmp_path_factory.mktemp("errors")
    return {build: Project(folder, build) for build in ("setuptools", "jit", "inline")}


@pytest.fixture
def project(request, projects) -> Project:
    project = projects[request.param]
    yield project
    project.mend()


@pytest.mark.parametrize(("project", "command"), WAYS, indirect=["project"])
def test_a_typo(project, command):
    project.edit(HEADER, "a * b + c;", "a * b + c")
    lines = project.output(command)
    error = next(i for i, line in enumerate(lines) if f"{HEADER}:15:18: error: expected" in line)
    # Before it stand what is compiled, and how the compiler came to the header.
    begins = ("my_ops: ", "[", "In file included from", " " * 17, HEADER)
    assert all(line.startswith(begins) for line in lines[:error]), lines
    sentence = f"my_ops does not compile: fix line 15 of {HEADER}, expected ‘;’ before ‘}}’ token"
    assert lines[-1].endswith(sentence), lines
    assert sum(sentence in line for line in lines) == 1, lines
    if command is not IMPORT:
        assert not any("Traceback" in line or "File " in line for line in lines), lines
        assert len(lines) < 20, lines


@pytest.mark.parametrize(("project", "command"), [WAYS[0], WAYS[4], WAYS[6]], indirect=["project"])
def test_a_symbol_that_is_not_defined(project, command):
    others = [
        f"template struct MuladdArgs<{x}>;\n" for x in ("double", "c10::Half", "c10::BFloat16")
    ]
    project.edit(KERNELS, "INSTANTIATE_FLOATS(MuladdArgs);\n", "".join(others))
    lines = project.output(command)
    assert (
        "the library lacks `my_ops::MuladdArgs<float>::run_on_cpu(long, long) const`" in lines[-1]
    ), lines
    assert lines[-1].endswith(f"which {KERNELS} should define with these arguments"), lines


@pytest.mark.parametrize(("project", "command"), [WAYS[0], WAYS[4], WAYS[6]], indirect=["project"])
@pytest.mark.parametrize("line", ["#include <torch/extension.h>", "PYBIND11_MODULE(name, m) {}"])
def test_a_source_of_a_python_module(project, command, line):
    project.edit(KERNELS, BEGINNING, f"{BEGINNING}{line}\n")
    (project.path / "my_ops/csrc/eigen-3.4").mkdir(exist_ok=True)  # which is no source
    lines = project.output(command)
    number = (project.path / KERNELS).read_text().splitlines().index(line) + 1
    assert f"delete line {number} of {KERNELS}, `{line.partition('(')[0]}`" in lines[-1], lines
    assert not any("error:" in x for x in lines), lines


# What g++ says of torch/torch.h, which includes torch/extension.h for who builds with setuptools.
OF_A_MODULE = """\
In file included from /env/torch/include/torch/extension.h:9,
                 from my_ops/csrc/muladd/muladd.cpp:1:
/env/torch/include/pybind11/detail/common.h:274:10: error: 'PyThread_tss_create' was not declared
"""


def test_core_says_what_is_of_a_python_module(tmp_path):
    """After the compiler, since nobody reads its sources before."""
    project = render(tmp_path / "my_ops", {"extent": "core"})
    code = "import runpy, sys; print(runpy.run_path('my_ops/_kit/build_log.py')['what_to_fix'](sys.argv[1]))"
    said = succeed(python(), "-c", code, OF_A_MODULE, cwd=project)
    fix = "delete the #include of torch/extension.h or torch/torch.h"
    assert said == f"my_ops does not compile: {fix}\n"


# Compilers that print their version and no error: as a wrapper, or without a licence, or with a message of any form.
SILENT = '[ "$1" = --version ] && exec g++ "$@"; exit 3'
NO_LICENCE = '[ "$1" = --version ] && exec g++ "$@"; echo no licence; exit 3'


@pytest.mark.parametrize(("project", "command"), [WAYS[2], WAYS[4], WAYS[6]], indirect=["project"])
def test_a_compiler_without_an_error(project, command, tmp_path):
    """The command that failed is printed, with its exit status."""
    compiler = tmp_path / "compiler"
    for script, above in {SILENT: "", NO_LICENCE: "; fix what it printed above"}.items():
        compiler.write_text(f"#!/bin/sh\n{script}\n")
        compiler.chmod(0o755)
        lines = project.output(command, commands=True, CXX=str(compiler))
        _, _, failed = lines[-1].partition("my_ops does not compile: ")
        command_line, _, rest = failed.partition("` ended with status 3")
        assert command_line.startswith(f"`{compiler} ") and " -c " in command_line, lines
        assert rest.startswith(f"{above}; `python -m my_ops.doctor` lists "), lines
        assert ("no licence" in lines) == (script is NO_LICENCE), lines


@pytest.mark.parametrize("build", ["setuptools", "jit", "inline"])
def test_core_names_a_compiler_that_fails(build, tmp_path):
    """It runs, and its status is not 0."""
    project = render(tmp_path / "my_ops", {"build": build}, extent="core")
    said = refusal(project, build, CXX="/bin/false")
    assert "`/bin/false --version` ended with status 1" in said and "does not run" not in said, said


# As PyTorch and CMake's build backend call tools, whose stderr a build does not read.
TOOL = """
import runpy, subprocess

with runpy.run_path("my_ops/_kit/build_log.py")["compiling"]():
    subprocess.run(["sh", "-c", "exit 3"], check=True)
"""


def test_a_tool_that_ninja_does_not_call(projects):
    *_, last = projects["jit"].output([sys.executable, "-c", TOOL])
    assert "my_ops does not compile: `sh -c 'exit 3'` ended with status 3; `python -m" in last, last


def test_stdout_is_closed(projects):
    """As of a service: a build, which an import may be, ended with an AttributeError."""
    command = ["sh", "-c", 'exec "$0" "$@" >&-', sys.executable, "-c", TOOL]
    ran = subprocess.run(
        command, cwd=projects["jit"].path, capture_output=True, text=True, check=False
    )
    assert "`sh -c 'exit 3'` ended with status 3" in ran.stderr, ran.stderr


@pytest.mark.parametrize(("project", "command"), [WAYS[2], WAYS[4], WAYS[6]], indirect=["project"])
def test_what_cannot_be_linked(project, command):
    """A library that does not exist, and a function from a library that is not named."""
    project.edit(project.flags, "LINK_ARGS: list[str] = []", 'LINK_ARGS = ["-lfoo"]')
    *_, last = project.output(command)
    sentence = "my_ops cannot be linked: the linker finds no library `foo`; install it, or add `-L`"
    assert last.endswith(f"{sentence} with its folder at EDIT in {project.flags}"), last
    project.edit(project.flags, '"-lfoo"', '"-Wl,-z,defs"')
    more = 'extern "C" int other();\nint more = other();\n'
    project.edit(KERNELS, BEGINNING, f"{BEGINNING}{more}")
    *_, last = project.output(command)
    assert "the library lacks `" in last, last


@pytest.mark.parametrize(("project", "command"), [WAYS[0], WAYS[4], WAYS[6]], indirect=["project"])
def test_a_warning(project, command):
    project.edit(HEADER, "  out = a * b + c;", "  static int big = 1e10;\n  out = a * b + c;")
    lines = project.output(command, fails=False)
    assert any(f"{HEADER}:15:20: warning: " in line for line in lines), lines
    if project.build == "setuptools":
        # Printed before the first file is compiled.
        assert lines[0].startswith("my_ops: ") and lines[0].endswith("; compiling again"), lines


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_a_typo_under_pip(build, tmp_path):
    """pip adds its own lines around the output of a build."""
    project = Project(tmp_path, build)
    project.edit(HEADER, "a * b + c;", "a * b + c")
    pip = [python(), "-m", "pip", "install", "--no-build-isolation", "--no-deps", "-e", "."]
    text = "\n".join(project.output(pip))
    sentence = f"my_ops does not compile: fix line 15 of {HEADER}, expected ‘;’ before ‘}}’ token"
    _, error, rest = text.partition(f"{HEADER}:15:18: error: expected")
    assert error and rest.count(sentence) == 1 and "Traceback" not in text, text
    assert len(rest.partition(sentence)[0].splitlines()) < 12, text


def test_colors(projects):
    """Output has colors on a terminal, which an environment variable announces, unless NO_COLOR is set."""
    project = projects["setuptools"]
    project.edit(HEADER, "a * b + c;", "a * b + c")
    red = f"{HEADER}:15:18: \033[1;31merror:\033[0m expected"
    forced = {"CLICOLOR_FORCE": "1"}
    for environment, colored in [
        (forced, True),
        (forced | {"NO_COLOR": "1"}, False),
        ({"CLICOLOR_FORCE": "0"}, False),
    ]:
        lines = project.output(BUILD_EXT, **environment)
        assert any(red in line for line in lines) == colored, lines
    project.mend()


NVCC = "/usr/local/cuda/bin/nvcc -c my_ops/csrc/muladd/muladd_cuda.cu -o muladd_cuda.o"
LOGS = {
    # ninja, as CMake and PyTorch call it, told to color.
    """\
[0/2] Re-checking globbed directories...
[1/4] cd build && python my_ops/_kit/record.py take build
[2/4] Building CXX object CMakeFiles/_C.dir/my_ops/csrc/muladd/muladd_cpu.cpp.o
\033[31mFAILED: \033[0mCMakeFiles/_C.dir/my_ops/csrc/muladd/muladd_cpu.cpp.o
/usr/bin/g++ -O3 -c muladd_cpu.cpp
muladd.h:15:18: error: expected ';'
   15 |   out = a * b + c
ninja: build stopped: subcommand failed.
""": ["[2/4] muladd_cpu.cpp", "muladd.h:15:18: error: expected ';'", "   15 |   out = a * b + c"],
    # nvcc.
    """\
[1/2] /usr/local/cuda/bin/nvcc -c my_ops/csrc/muladd/muladd_cuda.cu -o muladd_cuda.o
FAILED: [code=2] muladd_cuda.o
/usr/local/cuda/bin/nvcc -c my_ops/csrc/muladd/muladd_cuda.cu -o muladd_cuda.o
my_ops/csrc/muladd/muladd.h(16): error: expected a ";"
  }
  ^

1 error detected in the compilation of "my_ops/csrc/muladd/muladd_cuda.cu".
ninja: build stopped: subcommand failed.
""": [
        "[1/2] muladd_cuda.cu",
        'my_ops/csrc/muladd/muladd.h(16): error: expected a ";"',
        "  }",
        "  ^",
        "",
        '1 error detected in the compilation of "my_ops/csrc/muladd/muladd_cuda.cu".',
    ],
    # What ninja itself cannot do.
    "ninja: error: 'a.cpp', needed by 'a.o', missing and no known rule to make it\n": [
        "ninja: error: 'a.cpp', needed by 'a.o', missing and no known rule to make it"
    ],
}


FAILED = [
    ["`/usr/bin/g++ -O3 -c muladd_cpu.cpp` failed"],
    [f"`{NVCC}` ended with status 2"],
    [],
]


@pytest.mark.parametrize(("log", "lines", "commands"), zip(LOGS, LOGS.values(), FAILED))
def test_lines_for_authors(log, lines, commands, projects):
    failed: list[str] = []
    build_log = runpy.run_path(str(projects["jit"].path / "my_ops" / "_kit" / "build_log.py"))
    assert list(build_log["author_lines"](log.splitlines(keepends=True), failed)) == lines
    assert failed == commands


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/usr/bin/ld: cannot find -lfoo: No such file or directory", "no library `foo`; install"),
        ("/usr/bin/ld.gold: error: cannot find -lfoo", "no library `foo`; install"),
        ("ld.lld: error: unable to find library -lfoo", "no library `foo`; install"),
        ("ld: library not found for -lfoo", "no library `foo`; install"),
        ("ld: library 'foo' not found", "no library `foo`; install"),
        (
            "b.cpp:(.text+0x0): multiple definition of `half(float)'; a.o:a.cpp: first defined here",
            "two files define `half(float)`; if it is in a header, write `inline` before it",
        ),
        ("ld.lld: error: duplicate symbol: half(float)", "two files define `half(float)`; if"),
        (
            "b.cpp:(.text+0x9): undefined reference to `cublasCreate_v2'",
            "third-party library, name the library at EDIT",
        ),
        (
            "_C.so: undefined symbol: cublasCreate_v2",
            "name the library at EDIT in my_ops/_library.py",
        ),
        ("_C.so: undefined symbol: _ZN3c104impl3addEv", "was it compiled for another PyTorch?"),
        ("_C.so: undefined symbol: aoti_torch_new", "was it compiled for another PyTorch?"),
    ],
)
def test_what_linkers_say(line, sentence, projects):
    build_log = runpy.run_path(str(projects["jit"].path / "my_ops" / "_kit" / "build_log.py"))
    assert sentence in build_log["what_to_fix"](f"{line}\ncollect2: error: ld returned 1 exit")


@pytest.mark.parametrize("place", [":15:18:", "(15):"])
def test_a_path_with_a_blank(place, tmp_path):
    package = render(tmp_path / "my project", {"extent": "full", "build": "jit"}) / "my_ops"
    build_log = runpy.run_path(str(package / "_kit" / "build_log.py"))
    header = package / "csrc/muladd/muladd.h"
    said = build_log["what_to_fix"](f"In file included from a.cpp:1:\n{header}{place} error: no")
    assert said == f"my_ops does not compile: fix line 15 of {header}, no"


@pytest.mark.parametrize(
    ("shape", "struct"), [("[N]", "PadArgs<float>"), ("float32[N]", "PadArgs")]
)
def test_a_custom_operator_without_a_kernel_for_the_cpu(shape, struct, tmp_path):
    answers = {
        "op": "pad",
        "kernel": "custom",
        "signature": f"Tensor x: {shape} -> Tensor: {shape}",
    }
    package = render(tmp_path / "my_ops", {"extent": "full", "build": "jit"} | answers) / "my_ops"
    what_to_fix = runpy.run_path(str(package / "_kit" / "build_log.py"))["what_to_fix"]
    line = f"_C.so: undefined symbol: my_ops::{struct}::run_on_cpu(long, long) const"
    assert what_to_fix(line).endswith("pad_cpu.cpp should define with these arguments")
    (package / "csrc/pad/pad_cpu.cpp").unlink()
    assert what_to_fix(line).endswith(
        "write my_ops/csrc/pad/pad_cpu.cpp, or delete run_on_cpu in pad_args.h"
    )


@pytest.mark.parametrize(
    ("symbol", "file"),
    [
        ("_ZNK6my_ops10MuladdArgsIfE10run_on_gpuEP11CUstream_st", "muladd_cuda.cu"),
        ("_ZNK6my_ops10MuladdArgsIfE10run_on_cpuEll", "muladd_cpu.cpp"),
        ("_ZN6my_ops6muladdEv", "muladd.cpp"),
    ],
)
def test_the_file_that_should_define_it(symbol, file, projects):
    build_log = runpy.run_path(str(projects["jit"].path / "my_ops" / "_kit" / "build_log.py"))
    said = build_log["what_to_fix"](f"_C.so: undefined symbol: {symbol}")
    assert f"csrc/muladd/{file} should define" in said, said


# What conftest.py does before a test for a GPU, twice for each nvcc. To import the package would compile it.
LEFT_OUT = """
import os, runpy, sys, types

sys.modules["my_ops"] = package = types.ModuleType("my_ops")
package.__path__ = [os.path.abspath("my_ops")]
conftest = runpy.run_path("tests/conftest.py")
for os.environ["CUDA_HOME"] in sys.argv[1:]:
    conftest["compile_cuda_code"].cache_clear()
    for _ in range(2):
        try:
            conftest["skip_without_cuda"]("muladd")
        except BaseException as outcome:
            print(f"{type(outcome).__name__}: {outcome}")
"""
OF_PYTORCH = "torch/headeronly/util/BFloat16.h"  # a header of PyTorch, which operators with other dtypes include
NVCCS = {
    "works": f'for x; do [ ! -f "${{x#-I}}/{OF_PYTORCH}" ] || exit 0; done; echo "error: {OF_PYTORCH}"; exit 1',
    "finds a fault": "echo 'muladd_cuda.cu(9): error: expected a \";\"'; exit 2",
    "has no CUTLASS": "echo 'In file included from a.h:5,\nfatal error: cutlass/cutlass.h: No such file or directory'; exit 1",
}


def test_cuda_code_that_the_build_leaves_out(projects, tmp_path):
    """Without CUDA in PyTorch, only this test finds a fault in a .cu file; without nvcc, a skip names the reason."""
    for name, script in NVCCS.items():
        nvcc = tmp_path / name / "bin/nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.write_text(f"#!/bin/sh\n{script}\n")
        nvcc.chmod(0o755)
    homes = [tmp_path / name for name in (*NVCCS, "nowhere")]
    said = succeed(
        python(), "-c", LEFT_OUT, *map(str, homes), cwd=projects["jit"].path, CPU_ONLY="1"
    )
    cause = (
        "CPU_ONLY=1 left out the CUDA code" if torch.version.cuda else "this PyTorch has no CUDA"
    )
    assert said.splitlines() == [
        *[f"Skipped: {cause}; nvcc compiles the operator's .cu files"] * 2,
        'Failed: muladd_cuda.cu(9): error: expected a ";"',
        f"Skipped: {cause}; the operator's .cu files do not compile",
        *[f"Skipped: {cause}, and fatal error: cutlass/cutlass.h: No such file or directory"] * 2,
        *[f"Skipped: {cause}, and there is no nvcc"] * 2,
    ]


ON_A_GPU = """
import os, pathlib, runpy, sys, types

import torch

torch.cuda.is_available, torch.version.cuda = lambda: True, "13.0"
sys.modules["my_ops"] = package = types.ModuleType("my_ops")
package.__path__ = [os.path.abspath("my_ops")]
package.__file__ = os.path.abspath("my_ops/__init__.py")
conftest = runpy.run_path("tests/conftest.py")
item = types.SimpleNamespace(
    get_closest_marker=lambda name: True, path=pathlib.Path("tests/test_muladd.py")
)
for os.environ["CPU_ONLY"] in ("1", "0"):
    try:
        conftest["pytest_runtest_setup"](item)
        print("the test runs")
    except BaseException as outcome:
        print(f"{type(outcome).__name__}: {outcome}")
"""


def test_cpu_only_skips_tests_of_the_gpu_on_a_machine_with_one(projects, tmp_path):
    """A library without CUDA code would fail them."""
    said = succeed(
        python(), "-c", ON_A_GPU, cwd=projects["jit"].path, CUDA_HOME=str(tmp_path / "nowhere")
    )
    skipped = "Skipped: CPU_ONLY=1 left out the CUDA code, and there is no nvcc"
    assert said.splitlines() == [skipped, "the test runs"]


def test_cmake_without_pytorch_names_the_options_of_pip_and_build(tmp_path):
    """`python -m build` creates such an environment unless it gets `--no-isolation`."""
    venv.create(tmp_path / "bare", symlinks=True)
    project = render(tmp_path / "my_ops", {"build": "cmake"})
    command = ["cmake", "-S", ".", "-B", "build", f"-DPython_EXECUTABLE={tmp_path}/bare/bin/python"]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    words = " ".join(result.stderr.split())
    assert "bare/bin/python finds no torch" in words and "Traceback" not in words
    assert "--no-build-isolation to pip, and --no-isolation to python -m build." in words
