"""The commands of its README build every variant, and its own tests pass.

Needs PyTorch in the environment. With CUDA and nvcc, all code is compiled; otherwise, or with
CPU_ONLY=1, only the CPU code.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from multiprocessing.pool import ThreadPool
from pathlib import Path
from xml.etree import ElementTree

import pytest
from building import EDITED, each, install, python, readme_commands, run, succeed, with_each
from filelock import FileLock
from render import TEMPLATE, render
from updating import replace

from variants import COVERING, CPU_VARIANTS, DISTINCT, Variant

torch = pytest.importorskip("torch")

CUDA = torch.version.cuda is not None and os.environ.get("CPU_ONLY") != "1"
BUILT = COVERING if CUDA else CPU_VARIANTS
COMPILED = [variant for variant in BUILT if variant.compiled]
ONE_OF_EACH_BUILD = list({variant.build: variant for variant in BUILT}.values())
COMPILER = f"nvcc {torch.version.cuda}" if CUDA else "the C++ compiler alone"


@pytest.fixture(scope="session", params=each(BUILT))
def variant(request):
    return request.param


# CMake builds an operator of rows that says its shapes with this variant, which is built anyway; other builds do so in
# tests/build_cuda/test_build_features.py. The inline build compiles it in one file with, and before, muladd.
ROWS = "rowwise: logsum(Tensor x: [..., N]) -> (Tensor out: [..., N], Tensor sum: float32[...])"
MORE = {x: {"more_ops": ROWS} for x in ["cmake-pybind11-function", "inline-torch_stable-none"]}


@pytest.fixture(scope="module")
def installed(variant, tmp_path_factory) -> Path:
    answers = variant.answers | MORE.get(str(variant), {})
    project = render(tmp_path_factory.mktemp("build") / "project" / "my_ops", answers)
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


FOUND = "contiguous or refuses"  # its library is found, and is the right one


def selection(variant: Variant) -> str:
    """Return which of a variant's tests run: what another session or build has shown is not shown again."""
    # Without a GPU, a library with CUDA computes as one without.
    shown = os.environ.get("CPU_IS_SHOWN") == "1" and variant in CPU_VARIANTS
    if str(variant) == "nvrtc-function":
        return f"test_package or {FOUND}" if shown else ""  # it needs no GPU to compile for one
    if str(variant) in MORE:
        return f"({FOUND}) and not logsum or logsum and values"
    if shown or variant not in DISTINCT:
        return FOUND
    # What takes two processes and seconds is the same in each build: see test_dtensors, test_the_notebook_runs.
    return "not dtensors and not notebook"


def test_its_own_tests_pass(installed, variant, summary):
    report = installed / "report.xml"
    chosen = selection(variant)
    succeed("pytest", "-q", f"--junitxml={report}", "-k", chosen, cwd=installed)
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    skipped = sum(case.find("skipped") is not None for case in cases)
    on_cpu = [case for case in cases if "cuda" not in case.get("name")]
    ran = [case for case in on_cpu if case.find("skipped") is None]
    assert len(ran) >= (13 if FOUND in chosen else 40)
    of_rows = [case for case in ran if case.get("classname") == "tests.test_logsum.TestLogsum"]
    assert bool(of_rows) == (str(variant) in MORE)
    # Only what needs a GPU, or NVRTC, may be skipped.
    waiting = {
        "test_launches_on_the_current_stream",
        "test_gradients_on_the_current_stream",
        "test_runs_on_the_device_of_its_arguments",
        "test_indices_beyond_32_bits",
    }
    if not variant.compiled:  # on the CPU, its operators run the reference
        waiting |= {"test_computes_by_its_own_kernel", "test_values_in_guarded_memory"}
    if not CUDA:
        waiting |= {
            "test_compiles_without_a_gpu",
            "test_compile_error_shows_the_log",
            "test_compiles_once",
            "test_writes_through_no_link",
            "test_compiles_again_what_is_not_its_own",
            "test_compiles_without_a_home",
            "test_compiles_without_a_place_for_the_cache",
        }
    assert {case.get("name").split("[")[0] for case in on_cpu if case not in ran} <= waiting
    line = f"{variant!s:34} {COMPILER}: {len(cases) - skipped} passed, {skipped} skipped"
    summary("variants built and tested")(line)


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(ONE_OF_EACH_BUILD)
def test_it_is_found_from_any_folder(installed):
    """In the folder above the repository, Python first finds the repository's folder. Type checkers read only .pth files."""
    code = "from importlib.util import find_spec; print(find_spec('my_ops').origin)"
    for folder in [installed.parent, Path("/"), installed, installed / "tests"]:
        found = succeed(python(), "-c", code, cwd=folder)
        assert found == f"{installed}/my_ops/__init__.py\n", folder
    paths = Path(python()).parents[1].glob("lib/python*/site-packages/*my_ops*.pth")
    assert str(installed) in "".join(path.read_text() for path in paths).splitlines()


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([variant for variant in ONE_OF_EACH_BUILD if variant.build in ("cmake", "nvrtc")])
def test_a_repository_that_is_not_installed_says_what_to_run(installed, variant, tmp_path):
    """If it was moved, or the package was renamed manually, the error is one sentence without a traceback."""
    pytest_alone = [
        python(),
        "-P",
        "-m",
        "pytest",
    ]  # as the program, which does not look where it is
    moved = installed.rename(tmp_path / "moved")
    try:
        text = run(*pytest_alone, cwd=moved).stdout
        # The finder of an editable install by CMake fails before the doctor begins.
        found = (
            doctor(moved).stdout if variant.build == "nvrtc" else ", but only in this folder: pip"
        )
        (moved / "my_ops").rename(moved / "renamed")
        renamed = run(*pytest_alone, cwd=moved).stdout
        (moved / "renamed").rename(moved / "my_ops")
    finally:
        moved.rename(installed)
    assert ", but only in this folder: pip" in found
    command = readme_commands(installed)[-2].replace('"', "'")
    sentence = "ERROR: not tested: Python finds no my_ops"
    assert text.strip() == f"{sentence}; in {moved}, run `{command}`"
    assert renamed.strip() == f"{sentence}; to rename it: copier update --data project=NAME"


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([variant for variant in ONE_OF_EACH_BUILD if variant.build == "setuptools"])
def test_an_install_that_is_not_editable_is_tested(installed, tmp_path):
    """After `pip install .`, the package with the library is elsewhere, and sources are beside the tests."""
    repository, site = tmp_path / "repository", tmp_path / "site"
    shutil.copytree(installed, repository, ignore=shutil.ignore_patterns("build", "_C*"))
    shutil.copytree(installed / "my_ops", site / "my_ops", ignore=shutil.ignore_patterns("csrc"))
    command = [python(), "-P", "-m", "pytest", "-q", "-k", "test_values"]
    succeed(*command, cwd=repository, PYTHONPATH=str(site))


@with_each(COMPILED)
def test_the_cuda_code_is_linked(installed):
    path = library(installed)  # each process that asks imports PyTorch, with CUDA in four seconds
    symbols = succeed("nm", "-D", "-C", path, cwd=installed)
    sections = succeed("readelf", "-S", "-W", path, cwd=installed)
    assert ("MuladdArgs<__half>::run_on_gpu" in symbols) == CUDA
    assert (".nv_fatbin" in sections) == CUDA


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([v for v in COMPILED if str(v) == "inline-torch_library-cpp"])
def test_the_notebook_runs(installed):
    """It edits a copy of the package, also for Python that leaves the working directory out of its path."""
    safe = {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    text = succeed("pytest", "-q", "-k", "notebook", cwd=installed, **safe)
    assert "1 passed" in text, text


# The first two builds of those without CUDA, and what has no build.
EXAMPLES = [v for v in BUILT if v in (CPU_VARIANTS[0], CPU_VARIANTS[-1])]

# One for each way in which a gradient is reached, see variants/autograd/.
TRANSFORMED = [variant for variant in CPU_VARIANTS if variant.autograd != "none"]


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(TRANSFORMED)
def test_transforms_are_right_or_refused(installed):
    script = TEMPLATE / "tools" / "transforms.py"
    cache = str(
        installed / "inductor"
    )  # PyTorch's own cache identifies an operator only by its name
    succeed(python(), script, cwd=installed, PYTHONPATH=".", TORCHINDUCTOR_CACHE_DIR=cache)


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([v for v in COMPILED if v.build == "setuptools"])
def test_properties(installed):
    """CASES=100000 PROPERTIES_SEED=1 makes more of them, and others."""
    text = succeed(python(), TEMPLATE / "tools" / "properties.py", cwd=installed)
    assert int(text.splitlines()[-1].split()[0]) >= 500


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(list({v.autograd: v for v in reversed(TRANSFORMED)}.values()))
def test_dtensors(installed, variant):
    """In two processes operators, FSDP2 and tensor-parallel training are as in one."""
    if variant == TRANSFORMED[0]:
        succeed("pytest", "-q", "tests/test_sharding.py", cwd=installed)
    script = TEMPLATE / "tools" / "sharding.py"
    succeed(python(), script, cwd=installed, PYTHONPATH=".")


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(TRANSFORMED[:1])
def test_sharding_rules_are_registered_where_dtensors_are(installed):
    """It is only imported there, because loading DTensors takes a second."""
    loaded = {
        "import my_ops": set(),
        "import torch.distributed.tensor, my_ops": {"torch.distributed.tensor", "my_ops._sharding"},
        "import my_ops.sharding": {"torch.distributed.tensor", "my_ops._sharding"},
    }
    for code, expected in loaded.items():
        names = "{'torch.distributed.tensor', 'my_ops._sharding'}"
        code += f"; import sys; assert {names} & sys.modules.keys() == {expected or set()}"
        succeed(python(), "-c", code, cwd=installed)


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(TRANSFORMED[:1])
def test_an_operator_whose_elements_meet(installed):
    """The edits that README.md names are enough for its tests to pass."""
    module = installed / "my_ops/ops/muladd.py"
    before = module.read_text()
    try:
        replace(module, "REPLICATE = False", "REPLICATE = True")
        tests = ["tests/test_sharding.py", "tests/test_muladd.py", "-k", "dtensors or vmap"]
        text = succeed("pytest", "-v", "-rp", *tests, cwd=installed)
        rules = "import my_ops.sharding as s; print(s.rule_of('muladd').__name__)"
        assert "whole" in succeed(python(), "-c", rules, cwd=installed)
    finally:
        module.write_text(before)
    # In the summary, since a test of 20 seconds has its name printed before its outcome.
    assert "PASSED tests/test_sharding.py::test_dtensors" in text and "vmap_then_backward" in text
    assert "is_one_call" not in text


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(TRANSFORMED[:1])
def test_a_difference_is_said_in_four_lines(installed):
    """Repeated failures have one line, also failures of finite differences or a transform."""
    module = installed / "my_ops" / "ops" / "muladd.py"
    before = module.read_text()
    try:
        replace(module, "return a * b + c", "return a * b - c")
        tests = ["tests/test_muladd.py", "-k", "values or vmap"]
        result = run("pytest", "-q", *tests, cwd=installed)
    finally:
        module.write_text(before)
    failures = result.stdout.split("= FAILURES =")[1].split("= short test summary info =")[0]
    lines = failures.splitlines()[1:-1]
    files = "my_ops/csrc/muladd/muladd.h and muladd_reference in my_ops/ops/muladd.py"
    assert lines[1] == f"muladd: the result differs between {files}"
    assert re.match(r"Mismatched .*; Greatest absolute difference: .* at index \(", lines[2])
    assert re.match(r"with a = float32\[6, 5\], b = float32\[6, 5\], c = \S+$", lines[3])
    assert lines[4].startswith("Compared with double, the kernel is off by ")
    assert result.stdout.count("\nFAILED ") > 30
    # A title and a line for each, and where one differs first three more of a result, two more of a transform.
    assert len(lines) <= 2 * result.stdout.count("\nFAILED ") + 10, failures


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([v for v in COMPILED if str(v) == "inline-pybind11-function"])
def test_the_module_of_pybind11_is_in_reach(installed):
    code = "import torch; from my_ops._kit.bindings import _C; x = torch.ones(3); print(_C.muladd(x, x, 0.5))"
    assert "tensor([1.5000, 1.5000, 1.5000])" in succeed(python(), "-c", code, cwd=installed)
    result = run(python(), "-c", code.replace("ones(3)", "ones(3, device='meta')"), cwd=installed)
    assert "muladd: a must be on CPU or GPU, but is on meta" in result.stdout


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each([v for v in COMPILED if str(v) in ("jit-pybind11-none", "inline-torch_stable-none")])
def test_what_is_compiled_needs_no_nvcc(installed):
    code = "import my_ops, os; print(os.environ.get('TORCH_CUDA_ARCH_LIST'))"
    succeed(python(), "-c", code, cwd=installed)
    missing = {"CUDA_HOME": "/nowhere", "PATH": "/usr/bin"}
    text = succeed(python(), "-c", code, cwd=installed, **missing)
    assert "compiling" not in text
    assert text.splitlines()[-1] == str(os.environ.get("TORCH_CUDA_ARCH_LIST"))


def blocks(project: Path, language: str) -> list[str]:
    text = (project / "docs" / "exporting.md").read_text()
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [code for of, code in found if of == language]


EXPORT = r"""
import sys

import torch

for strict in ["True", "False"]:
    exec(sys.argv[1].replace("(Module(), inputs)", f"(Module(), inputs, strict={strict})"))
    loaded = torch._inductor.aoti_load_package("model.pt2")
    assert program.module()(*inputs).shape == (3, 4)
    torch.testing.assert_close(loaded(*inputs), Module()(*inputs))
"""
# The program of docs/exporting.md, then only the operator.
PROGRAM = r"""
#define main readme_main
%s
#undef main

int main(int argc, char** argv) {
  readme_main(argc, argv);
  Tensor x = at::ones({3});
  std::cout << "value: " << muladd(x, x, 0.5).sum().item<double>() << std::endl;
  x.requires_grad_();
  try {
    (muladd(x, x, 0.5) + x).sum().backward();
    std::cout << "gradient: " << x.grad().sum().item<double>() << std::endl;
  } catch (const c10::Error& error) {
    std::cout << "refused: " << error.what_without_backtrace() << std::endl;
  }
}
"""
# What a gradient is in C++ without Python: refused, right, or wrong with PyTorch's warning.
WITHOUT_PYTHON = {
    "setuptools-torch_library-function": "refused: my_ops::_muladd_autograd: the gradient needs Python",
    "inline-torch_library-cpp": "gradient: 9",
    "cmake-torch_stable-function": "my_ops::muladd: an autograd kernel was not registered",
}


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([v for v in CPU_VARIANTS if str(v) in WITHOUT_PYTHON])
def test_export_and_cpp_without_python(installed, variant, tmp_path_factory):
    (code,) = blocks(installed, "python")
    (program,) = blocks(installed, "cpp")
    (commands,) = blocks(installed, "")
    commands = commands.replace("python -c", f"{python()} -c")
    # What the page's code makes is the same for each library; it is made by the first of these tests, in any process.
    folder = tmp_path_factory.getbasetemp().parent / "exported"
    cache = {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}
    with FileLock(folder.with_suffix(".lock")):
        if not folder.exists():
            folder.mkdir()
            (folder / "main.cpp").write_text(PROGRAM % program)
            succeed(python(), "-c", EXPORT, code, cwd=folder, **cache)
            succeed("bash", "-ec", commands, cwd=folder, **cache)
    assert (folder / "main.cpp").read_text() == PROGRAM % program
    commands = re.sub(r"(?m)^c\+\+ (.*\\\n)*.*$", "", commands)
    text = succeed("bash", "-ec", commands, cwd=folder, **cache)
    assert "1.5000  1.5000  1.5000  1.5000" in text and "value: 4.5" in text
    assert WITHOUT_PYTHON[str(variant)] in text, text


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([EXAMPLES[0], EXAMPLES[-1]])
def test_agents_find_commands_that_work(installed):
    """AGENTS.md begins with the README's commands. Few tests and sizes run, so that this takes seconds."""
    text = (installed / "AGENTS.md").read_text()
    commands = [line for block in text.split("```")[1::2] for line in block.strip().splitlines()]
    assert commands[: len(readme_commands(installed)) - 1] == readme_commands(installed)[:-1]
    few = {
        "pytest": " tests/test_muladd.py -k transposed",
        "python benchmarks": " --device cpu --sizes 4096",
    }
    for command in commands:
        if not command.startswith("pip "):  # it is installed
            command += next((more for name, more in few.items() if command.startswith(name)), "")
            succeed(*re.sub(r"^python ", f"{python()} ", command).split(), cwd=installed)
    assert (installed / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    assert "EDIT" in succeed("git", "grep", "--no-index", "EDIT", cwd=installed)


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(EXAMPLES)
def test_the_example_runs(installed):
    text = succeed(python(), "examples/quickstart.py", cwd=installed)
    assert re.search(r"differs from plain PyTorch by at most \d\.\de-\d\d|0\.0e\+00", text)


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each(list({variant.autograd: variant for variant in reversed(BUILT)}.values()))
def test_the_benchmark_runs(installed, variant):
    command = [python(), "benchmarks/bench_muladd.py", "--device", "cpu", "--sizes", "4096"]
    text = succeed(*command, "--dtypes", "float32", cwd=installed)
    passes = ["forward"] if variant.autograd == "none" else ["forward", "backward"]
    assert re.findall("^(.*), float32$", text, re.MULTILINE) == passes
    if variant.extent == "full":
        results = installed / "benchmarks" / "results" / "muladd_cpu.json"
        record = json.loads(results.read_text())
        assert [row["pass"] for row in record["rows"]] == passes
        # The name identifies the machine.
        assert record["machine"].split(",")[0] not in ("", platform.machine())
        assert results.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each([v for v in COMPILED if str(v) == "cmake-torch_stable-function"])
def test_cmake_alone_builds_the_library(installed):
    block = (installed / "README.md").read_text().split("with only CMake")[1].split("```")[1]
    assert "muladd" in succeed("bash", "-ec", block, cwd=installed)
    (installed / "my_ops/csrc/muladd/muladd.cpp").touch()
    succeed("cmake", "--build", "build", cwd=installed)


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each([v for v in COMPILED if str(v) == "cmake-torch_library-none"])
def test_a_wheel_is_not_for_the_gpus_of_an_editable_install(installed, tmp_path):
    block = (installed / "README.md").read_text().split("(`native`: ")[1].split("```")[1]
    succeed(*block.replace("\\\n", "").split(), cwd=installed)
    wheel = ["pip", "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, "."]
    succeed(*wheel, cwd=installed)
    (editable,) = installed.glob("build/editable/*/build.ninja")
    (for_all,) = installed.glob("build/wheel/*/build.ninja")
    assert "-arch=native" in editable.read_text()
    assert all(f"arch=compute_{gpu}" in for_all.read_text() for gpu in (80, 90))


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each(
    list({v.build: v for v in COMPILED if v.extent == "full" and v.binding != "pybind11"}.values())
)
def test_clangd_finds_how_files_are_compiled(installed):
    """No settings are needed, also for flags that only nvcc accepts and for the headers of kernels."""
    succeed(python(), "-c", "import my_ops", cwd=installed)
    for name in ["muladd/muladd.cpp", "muladd/muladd_cuda.cu", "kit/tile.cuh"]:
        path = installed / "my_ops/csrc" / name
        check = run("clangd", f"--check={path}", "--check-lines=1", cwd=installed).stdout
        assert "Loaded compilation database" in check and "Building AST" in check
        assert not re.findall(r"\[\w+\] Line .*", check), check


def doctor(project: Path, **environment: str) -> subprocess.CompletedProcess:
    return run(python(), "-m", "my_ops.doctor", cwd=project, **environment)


GPU = """
import sys

if "torch.cuda" in sys.orig_argv[-1]:
    from torch import cuda

    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.get_device_name = lambda: "NVIDIA H200"
    cuda.get_device_capability = lambda index: ({major}, {minor})
"""


def with_gpu(folder: Path, capability: str) -> dict[str, str]:
    """Return an environment in which PyTorch reports a GPU to the doctor."""
    major, minor = map(int, capability.split("."))
    (folder / "sitecustomize.py").write_text(GPU.format(major=major, minor=minor))
    return {"PYTHONPATH": str(folder)}


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each([v for v in BUILT if str(v) in ("setuptools-torch_library-function", "nvrtc-none")])
def test_the_doctor_finds_nothing_wrong(installed, tmp_path):
    result = doctor(installed, **with_gpu(tmp_path, "12.0"))
    assert result.returncode == 0, result.stdout


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each(
    [v for v in COMPILED if v.build != "inline" and v.extent == "full" and v.binding != "pybind11"]
)
def test_the_doctor_finds_a_library_for_other_gpus(installed, variant, tmp_path):
    result = doctor(installed, **with_gpu(tmp_path, "7.0"))
    assert result.returncode == 1
    assert "is compiled for compute_" in result.stdout and "is sm_70" in result.stdout
    remedy = result.stdout.partition("WRONG")[2].partition("-> ")[2]
    assert "ARCH" in remedy and (variant.build == "jit" or "70" in remedy.replace(".", ""))


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each([v for v in BUILT if str(v) == "nvrtc-none"])
def test_the_doctor_finds_that_nvrtc_is_out_of_reach(installed, tmp_path):
    (tmp_path / "cuda").mkdir()
    (tmp_path / "cuda" / "__init__.py").touch()
    result = doctor(installed, PYTHONPATH=str(tmp_path))
    assert result.returncode == 1 and "-> pip install 'cuda-core" in result.stdout, result.stdout
    assert "the kernels do not compile: ModuleNotFoundError" in result.stdout


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([v for v in COMPILED if str(v) == "setuptools-torch_library-function"])
def test_the_doctor_finds_what_is_wrong_with_a_library(installed, tmp_path):
    project = tmp_path / "my_ops"
    shutil.copytree(installed, project, ignore=shutil.ignore_patterns("build"))
    (compiled,) = project.glob("my_ops/_C*.so")
    operator = project / "my_ops/ops/muladd.py"
    text = operator.read_text()
    operator.write_text(f"{text}torch.missing\n")
    result = doctor(project)  # no build corrects a Python file
    line = len(text.splitlines()) + 1
    assert "has no attribute 'missing'" in result.stdout, result.stdout
    assert f"-> correct my_ops/ops/muladd.py, line {line}\n" in result.stdout, result.stdout
    operator.write_text(text)

    path = project / "my_ops/_C.json"
    record = json.loads(path.read_text())

    path.write_text(json.dumps(record | {"torch": "2.10.0"}))
    result = doctor(project)
    assert result.returncode == 1 and "was compiled for PyTorch 2.10.0" in result.stdout
    assert ", run `python setup.py build_ext --inplace`" in result.stdout
    result = run(python(), "-c", "import my_ops", cwd=project)
    assert "was compiled for PyTorch 2.10.0" in result.stdout.splitlines()[-1]
    assert "`python -m my_ops.doctor`" in result.stdout.splitlines()[-1]

    code = compiled.read_bytes().replace(b"libstdc++.so", b"libother+.so")
    compiled.write_bytes(code)
    path.write_text(json.dumps(record | {"library": hashlib.sha256(code).hexdigest()}))
    assert "does not use libstdc++.so" in doctor(project).stdout

    header = project / "my_ops/csrc/muladd/muladd.h"
    header.write_text(header.read_text() + "// edited\n")
    assert "muladd.h changed after" in doctor(project).stdout

    # Installed without the repository, it needs no compiler.
    site = tmp_path / "site"
    package = site / "my_ops"
    shutil.copytree(installed / "my_ops", package, ignore=shutil.ignore_patterns("csrc"))
    result = doctor(site, CXX="missing")
    assert result.returncode == 0 and "compiler" not in result.stdout, result.stdout

    source = installed / "my_ops/csrc/muladd/muladd.cpp"
    text = source.read_text()
    source.write_text(text + "missing\n")
    result = run(python(), "setup.py", "build_ext", "--inplace", cwd=installed)
    source.write_text(text)
    assert "my_ops does not compile: fix line" in result.stdout, result.stdout


RELOAD = r"""
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
edit("muladd/muladd_cuda.cu", "Launchers", "Edited")
with pytest.raises(ImportError, match=r"fix line \d+ of .*muladd_cpu.cpp, .*missing"):
    edit("muladd/muladd_cpu.cpp", "out_values[i] += 1", "missing += 1")
torch.testing.assert_close(my_ops.muladd(a, b, 3.0), a * b + 7)
edit("muladd/muladd_cpu.cpp", "missing += 1;", "")
edit("muladd/muladd.cpp", 'like("b"', 'like("the second"')
with pytest.raises(RuntimeError, match="the second must have the shape"):
    my_ops.muladd(a, b[1:], 3.0)
"""


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@with_each([v for v in COMPILED if str(v) == "inline-torch_stable-none"])
def test_an_edit_is_reloaded(installed, tmp_path):
    """In the process that runs, whichever file it is in; the next process has it too."""
    shutil.copytree(installed / "my_ops", tmp_path / "my_ops")
    succeed(python(), "-c", RELOAD, cwd=tmp_path)
    assert "9.0" in succeed(python(), "-c", EDITED, cwd=tmp_path)
    header = tmp_path / "my_ops/csrc/muladd/muladd.h"
    header.write_text(header.read_text().replace("2 * c", "3 * c"))
    assert "12.0" in succeed(python(), "-c", EDITED, cwd=tmp_path)


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
def test_an_import_rebuilds_if_asked(tmp_path):
    """If processes start together, one compiles and none continues with the old code. In full."""
    project = render(tmp_path / "my_ops", {"binding": "torch_stable", "autograd": "none"})
    header = project / "my_ops/csrc/muladd/muladd.h"
    text = header.read_text()
    header.write_text(text.replace("a * b + c", "a * b + 2 * c"))
    rebuild = {"MY_OPS_REBUILD": "1"}
    with ThreadPool(2) as pool:
        outputs = pool.map(lambda _: run(python(), "-c", EDITED, cwd=project, **rebuild), range(2))
    assert all("9.0" in output.stdout for output in outputs), outputs
    # A line announces the compilation, and no compiler command follows.
    assert sum(output.stdout.count("; compiling again") for output in outputs) == 1
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


@pytest.mark.skipif(CUDA, reason="the same on the CPU in another session")
@with_each([v for v in COMPILED if v.build in ("setuptools", "cmake") and v.autograd == "function"])
def test_a_library_for_another_pytorch(installed, variant):
    """It is refused in a sentence, except a stable library, which serves every PyTorch."""
    record = library(installed).parent / "_C.json"
    text = record.read_text()
    record.write_text(text.replace(f'"torch": "{torch.__version__}"', '"torch": "2.12.9"'))
    result = run(python(), "-c", "import my_ops", cwd=installed)
    record.write_text(text)
    if variant.binding == "torch_stable":
        assert result.returncode == 0, result.stdout
    else:
        last = result.stdout.splitlines()[-1]
        assert "was compiled for PyTorch 2.12.9, but this is PyTorch" in last, result.stdout


@pytest.mark.skipif(not CUDA, reason="needs a PyTorch with CUDA")
@pytest.mark.parametrize("build", ["setuptools", "cmake", "jit"])
def test_without_nvcc_the_build_says_what_to_do(build, tmp_path):
    """It never falls back to the CPU in silence, but does so when asked; inline calls what jit calls."""
    answers = {"build": build, "binding": "torch_stable", "autograd": "none"}
    project = render(tmp_path / "project" / "my_ops", answers)
    # As in a container for another CUDA, whose nvcc is on PATH.
    other = tmp_path / "other" / "bin" / "nvcc"
    other.parent.mkdir(parents=True)
    other.write_text("#!/bin/sh\necho release 12.8, V12.8.93\n")
    other.chmod(0o755)
    clean = [p for p in os.environ["PATH"].split(os.pathsep) if not Path(p, "nvcc").exists()]
    path = os.pathsep.join([str(other.parent), *clean])
    environment = {"CUDA_HOME": str(tmp_path), "CUDA_PATH": "", "PATH": path}
    importing = [python(), "-c", "import my_ops; print(my_ops.muladd)"]
    cpu_only = {"CPU_ONLY": "1"} if build == "setuptools" else {"USE_CUDA": "0"}
    for asked in [{}, cpu_only]:
        result = install(project, **asked, **environment)
        if build == "jit":
            assert result.returncode == 0, result.stdout[-3000:]
            result = run(*importing, cwd=tmp_path, **asked, **environment)
        assert (result.returncode == 0) == bool(asked), result.stdout[-3000:]
        if not asked:
            assert f"there is no nvcc for PyTorch's CUDA {torch.version.cuda}" in result.stdout
            assert "-> unset CUDA_HOME && python -m my_ops.doctor --nvcc | " in result.stdout
            assert "CPU_ONLY=1" in result.stdout
    succeed(*importing, cwd=tmp_path, **cpu_only, **environment)

    # The line of the README; pip finds that all is installed, and a build finds it there.
    environment["CUDA_HOME"] = ""
    text = (project / "README.md").read_text()
    (line,) = re.findall("^`(.*)` installs nvcc from PyPI", text, re.MULTILINE)
    assert line == "python -m my_ops.doctor --nvcc | xargs -r pip install"
    succeed("bash", "-ec", line, cwd=project, **environment)
    if build == "jit":
        # It compiles for half a minute. tests/build_cpu/test_build_needs.py shows that PyTorch uses the program that is found here.
        found = f"doctor.fitting_nvcc('{torch.version.cuda}')"
        code = f"import sys; sys.path[:0] = ['my_ops/_kit']; import doctor; print({found})"
        nvcc = succeed(python(), "-c", code, cwd=project, **environment)
        assert nvcc.endswith(
            f"/site-packages/nvidia/cu{torch.version.cuda.split('.')[0]}/bin/nvcc\n"
        )
        return
    result = install(project, TORCH_CUDA_ARCH_LIST="8.0", **environment)
    assert result.returncode == 0, result.stdout[-3000:]
    succeed(*importing, cwd=tmp_path, **environment)
    assert b".nv_fatbin" in library(project).read_bytes()
