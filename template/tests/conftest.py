"""Fixtures and hooks for the tests of all operators: a seed, the devices, poisoned memory.

Shared code of the template: do not edit.
"""

import os
import random
import re
import runpy
import subprocess
import sys
import threading
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
import torch

TESTS = Path(__file__).parent
# The suite is in this folder. Some import modes of pytest do not search it.
sys.path.append(str(TESTS))
SUITE = next(TESTS.glob("*_suite/operators.py")).parent.name
pytest.register_assert_rewrite(SUITE)

PACKAGE = SUITE.removesuffix("_suite")
SEED = int(os.environ.get("SEED") or random.randrange(2**32))
TERMINAL = []  # the terminal, to write to while pytest captures output


def pytest_report_header():
    return f"seed: {SEED} (set SEED={SEED} to repeat this run)"


@pytest.fixture(autouse=True)
def seed(request):
    """Draw different arguments in each test.

    Otherwise a test could pass with a result that an earlier test left in memory.
    """
    torch.manual_seed(SEED + crc32(request.node.nodeid.encode()))


@pytest.fixture(scope="session", autouse=True)
def no_cache_of_gradients():
    """Turn off PyTorch's cache of gradients, which can use an old value of a float.

    A function that computes `s * x` and passes `s + 1.0` gets an old `s` (pytorch#197889).
    """
    with import_module(f"{PACKAGE}._kit.private").cache_of_gradients(False):
        yield


@pytest.fixture
def poison():
    """Fill new tensors with NaN, or the largest integer, to reveal unwritten elements."""
    # With warn_only, operators without a deterministic implementation still run.
    torch.use_deterministic_algorithms(True, warn_only=True)
    yield
    torch.use_deterministic_algorithms(False)


def pytest_generate_tests(metafunc):
    """Give tests their devices. Tensors on meta have no memory, as in torch.compile."""
    cuda = pytest.param("cuda", marks=pytest.mark.cuda)
    for name, devices in {"device": ["cpu", cuda], "any_device": ["cpu", "meta", cuda]}.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, devices)
    # For tests that an owner adds to the file of a custom operator.
    operator = getattr(metafunc.module, "OPERATOR", None)
    if operator and metafunc.cls is None and "dtype" in metafunc.fixturenames:
        metafunc.parametrize("dtype", operator.dtypes, ids=str)


@pytest.fixture
def operator(request):
    """Return the custom operator of a test file."""
    return request.module.OPERATOR


@cache
def facts_of(folder):
    """Return the facts of the package in a folder, without importing the package."""
    return runpy.run_path(str(folder / "_project.py"))


def refuse_another(found, here, install):
    """Refuse the package of another clone, and an installed package with different Python files."""
    if found.samefile(here):
        return
    pairs = [(path, found / path.relative_to(here)) for path in sorted(here.rglob("*.py"))]
    edited = [a for a, b in pairs if b.exists() and a.read_bytes() != b.read_bytes()]
    if edited or found.with_name("tests").joinpath(SUITE).exists():
        differs = f", and has another {edited[0].relative_to(here)}" if edited else ""
        text = f"not tested: Python finds {found}, which is not {here}{differs}; {install}"
        raise pytest.UsageError(text)


def find_package():
    """Return the folder of the package that Python finds, if it is the package to test."""
    repository = TESTS.parent
    here = repository / PACKAGE
    spec = find_spec(PACKAGE)
    # A folder without __init__.py is a namespace package, whose spec has no origin. An editable
    # install may name a folder that was moved.
    missing = spec is None or not spec.origin or not Path(spec.origin).exists()
    if missing and not here.exists():
        rename = "to rename it: copier update --data project=NAME"
        raise pytest.UsageError(f"not tested: Python finds no {PACKAGE}; {rename}")
    compiled = here.exists() and facts_of(here)["COMPILED_WHEELS"]
    option = "--no-build-isolation " if compiled else ""
    install = f"in {repository}, run `pip install {option}-e '.[test]'`"
    if missing:
        raise pytest.UsageError(f"not tested: Python finds no {PACKAGE}; {install}")
    found = Path(spec.origin).parent
    if here.exists():
        refuse_another(found, here, install)
    return found


def pytest_configure(config):
    TERMINAL.append(os.dup(2))
    found = find_package()
    # Imported here, not at the top of the file, because an import may compile, and pytest shows
    # messages of compilers only from here on.
    try:
        doctor = import_module(f"{PACKAGE}._kit.doctor")
    except ImportError as error:
        raise pytest.UsageError(f"not tested: {error}") from None
    try:
        if facts_of(found)["BUILD"] != "nvrtc":
            stale = import_module(f"{PACKAGE}._kit.record").stale
            if reason := stale(TESTS.parent):
                raise pytest.UsageError(f"not tested: {reason}")
        doctor.asked_for("LARGE")
    except (ImportError, doctor.Finding) as error:
        raise pytest.UsageError(f"not tested: {error}") from None
    each, only_with = "each: runs for each item of a property", "only_with: needs a property"
    for mark in ("cuda: runs on a GPU", each, only_with):
        config.addinivalue_line("markers", mark)
    alerts = "ignore:.*does not have a deterministic implementation"
    config.addinivalue_line("filterwarnings", alerts)


def pytest_collection_modifyitems(items):
    """Compare the values of all operators first: a wrong value explains most later failures."""
    items.sort(key=lambda item: not item.name.startswith("test_values"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Call a test from code whose file name is the test's name: Python prints it after a crash."""
    names = pyfuncitem._fixtureinfo.argnames
    call = partial(pyfuncitem.obj, **{name: pyfuncitem.funcargs[name] for name in names})
    eval(compile("call()", pyfuncitem.nodeid, "eval"), {"call": call})
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Print the name of a slow test while it runs."""
    running = f"\n{item.nodeid} has been running for 20 seconds\n"
    timer = threading.Timer(20, os.write, (*TERMINAL, running.encode()))
    timer.daemon = True
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector):
    """Let test modules of two projects have the same name in one run."""
    if isinstance(collector, pytest.Module):
        other = sys.modules.get(collector.path.stem)
        if other and getattr(other, "__file__", None) != str(collector.path):
            del sys.modules[collector.path.stem]


def pytest_pycollect_makeitem(collector, name, obj):
    """Leave out functions of the package, such as `test_op`, and some tests of the suite.

    `each` and `only_with` name properties that a test needs, which the operator may lack.
    """
    if str(getattr(obj, "__module__", "")).startswith(f"{PACKAGE}."):
        return []
    marks = getattr(obj, "pytestmark", ()) if name.startswith("test_") else ()
    marks = [x for x in marks if x.name in ("each", "only_with")]
    facts = [fact for x in marks for fact in (*x.args, *x.kwargs.values())]
    if facts:
        tests = collector.obj() if isinstance(collector, pytest.Class) else collector.obj
        # Outside of a class of the suite, they are facts of OPERATOR.
        fact = getattr(tests, "fact", None) or partial(getattr, getattr(tests, "OPERATOR", tests))
        if not all(map(fact, facts)):
            return []


# Compile only to PTX: the later steps find few errors in the source.
NVCC = ["-ptx", "-arch=sm_90", "-std=c++17", "-DUSE_CUDA", "-allow-unsupported-compiler"]
NVCC += [f"-I{Path(torch.__file__).parent / 'include'}"]


@cache
def compile_cuda_code(op):
    """Compile an operator's .cu files. Return why that was skipped, and the errors, if any."""
    nvccs = import_module(f"{PACKAGE}._kit.doctor").nvccs("13.0")
    nvcc = next((path for path in nvccs if path.exists()), None)
    if nvcc is None:
        return "there is no nvcc", ""
    for source in sorted((TESTS.parent / PACKAGE / "csrc" / op).glob("*.cu")):
        with TemporaryDirectory() as folder:
            command = [nvcc, *NVCC, source, "-o", Path(folder, "kernels.ptx")]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
        text = (ran.stdout + ran.stderr).strip()
        if missing := re.search(".*No such file or directory", text):
            return missing[0], ""  # a third-party header, in a folder that only the build knows
        if ran.returncode != 0:
            return "", text or f"{source}: nvcc ended with status {ran.returncode}"
    return "", ""


REPORTED = set()


def skip_without_cuda(op):
    """Skip a test for a GPU, or fail the operator's first one if its CUDA code does not compile."""
    why, errors = compile_cuda_code(op)
    if errors and op not in REPORTED:
        REPORTED.add(op)
        pytest.fail(errors, pytrace=False)
    code = f", and {why}" if why else "; nvcc compiles the operator's .cu files"
    code = "; the operator's .cu files do not compile" if errors else code
    doctor = import_module(f"{PACKAGE}._kit.doctor")
    cause = f"{doctor.cpu_only()} left out the CUDA code"
    pytest.skip(f"{cause if torch.version.cuda else 'this PyTorch has no CUDA'}{code}")


def pytest_runtest_setup(item):
    if not item.get_closest_marker("cuda"):
        return
    package = import_module(PACKAGE)
    nvrtc = facts_of(Path(package.__file__).parent)["BUILD"] == "nvrtc"
    left_out = not nvrtc and import_module(f"{PACKAGE}._kit.doctor").cpu_only()
    if torch.cuda.is_available() and not left_out:
        return
    if nvrtc:
        pytest.skip("no GPU here" if torch.version.cuda else "this PyTorch has no CUDA")
    if torch.version.cuda and not left_out:
        pytest.skip("no GPU here")
    skip_without_cuda(item.path.stem.removeprefix("test_"))
