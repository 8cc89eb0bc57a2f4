"""The kit's _kit/verify.py: what it reads in the output of compilers, and how tests become checks."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from render import SUITE, TEMPLATE, kit_module
from verdicts import faults, schema

VERIFY = kit_module("_kit.verify")
FILE = "my_ops/csrc/muladd/muladd.h"
OUTPUTS = {
    "g++": f"{FILE}:15:17: error: ‘d’ was not declared in this scope",
    "clang": f"{FILE}:15:17: fatal error: ‘d’ was not declared in this scope",
    "nvcc": f"{FILE}(15): error: ‘d’ was not declared in this scope",
    "NVRTC": "my_ops.doctor.Finding: the kernels do not compile: muladd.h(15): error: ‘d’ was not declared in this scope",
    "the build": f"my_ops does not compile: fix line 15 of {FILE}, ‘d’ was not declared in this scope",
}


@pytest.fixture(autouse=True)
def handlers():
    """Keep the handlers of signals that the command sets."""
    before = {x: signal.getsignal(x) for x in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for x, handler in before.items():
        signal.signal(x, handler)


@pytest.fixture
def project(tmp_path):
    for name in (FILE, "my_ops/ops/muladd.py", "my_ops/_project.py", "tests/test_muladd.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('BUILD = "jit"\n' if path.name == "_project.py" else "")
    return VERIFY.Project(tmp_path)


@pytest.mark.parametrize("tool", OUTPUTS)
def test_place_of_an_error(tool, project):
    before = "/usr/include/other.h:3:1: error: in a header of others\n[1/4] muladd.cpp\n"
    found = VERIFY.place_of(f"{before}{OUTPUTS[tool]}\n   15 | out\n", project)
    assert found == {"file": FILE, "line": 15, "message": "‘d’ was not declared in this scope"}


def test_place_of_an_error_in_python(project):
    path = project.package / "ops" / "muladd.py"
    text = f'  File "{path}", line 7\n    x = (\n        ^\nSyntaxError: never closed\n'
    found = VERIFY.place_of(text, project)
    assert found == {
        "file": "my_ops/ops/muladd.py",
        "line": 7,
        "message": "SyntaxError: never closed",
    }


def test_no_place_of_a_missing_compiler(project):
    assert VERIFY.place_of("my_ops.doctor.Finding: there is no C++ compiler c++\n", project) is None


def test_a_missing_compiler_is_the_reason_and_its_fix_is_not():
    printed = "[1/4] muladd.cpp\nthere is no nvcc\n            -> pip install it\n            -> or CPU_ONLY=1\n"
    assert VERIFY.last_line(printed) == "there is no nvcc"


@pytest.mark.parametrize(
    ("outcome", "ran"), [("passed", True), ("failed", True), ("skipped", False)]
)
def test_a_kernel_that_fails_ran_on_the_gpu(outcome, ran, project):
    tests = VERIFY.Tests(["muladd"])
    tests.results.append({"device": "cuda", "outcome": outcome, "message": "no GPU here"})
    assert VERIFY.cuda_of(project, tests)["run"] is ran


def tests_of_the_suite() -> set[str]:
    found = set()
    for path in SUITE.glob("*.py"):
        if path.name == "package.py":  # no operator's tests
            continue
        nodes = ast.walk(ast.parse(path.read_text()))
        found |= {x.name for x in nodes if isinstance(x, ast.FunctionDef) and x.name[:5] == "test_"}
    return found


def test_each_test_of_the_suite_is_in_a_check():
    found = {name: VERIFY.check_of_test(name, {}) for name in tests_of_the_suite()}
    assert len(found) > 60
    assert [name for name, check in found.items() if check == "other tests"] == ["test_flops"]
    assert set(found.values()) == set(VERIFY.CHECKS)
    assert found["test_other_values_in_the_same_memory"] == "memory"
    assert found["test_refuses_a_gradient_of_what_it_writes"] == "refusals"
    assert found["test_gradients_compiled"] == "compile"


@pytest.mark.parametrize(
    ("parameters", "check"),
    [
        ({}, "values"),
        ({"layout": "contiguous", "dtype_number": "0"}, "values"),
        ({"layout": "transposed", "dtype_number": "1"}, "layouts"),
        ({"layout": "contiguous", "dtype_number": "1"}, "dtypes"),
    ],
)
def test_a_layout_and_a_dtype_are_checks(parameters, check):
    assert VERIFY.check_of_test("test_values", parameters) == check


def result(name: str, outcome: str, message: str = "", device: str = "cpu") -> dict:
    return {
        "event": "result",
        "test": f"tests/test_muladd.py::{name}",
        "name": name,
        "operator": "muladd",
        "device": device,
        "parameters": {},
        "outcome": outcome,
        "message": message,
        "seconds": 0.5,
        "draw": None,
    }


def test_a_check_without_a_test_that_ran_is_not_run():
    """A skipped test is not a passed one."""
    tests = VERIFY.Tests(["muladd"])
    for event in (
        result("test_values", "passed"),
        result("test_values", "skipped", "no GPU here", "cuda"),
        result("test_opcheck", "failed", "it differs\nby much"),
        result("test_opcheck", "passed"),
    ):
        tests.take(event)
    checks = {(x["check"], x["device"]): x for x in tests.checks(quick=False)}
    assert checks["values", "cpu"]["status"] == "passed"
    assert checks["values", "cuda"]["status"] == "not_run"
    assert checks["values", "cuda"]["reason"] == "no GPU here"
    assert checks["opcheck", "cpu"]["status"] == "failed"
    assert checks["opcheck", "cpu"]["reason"] == "it differs"
    assert checks["opcheck", "cpu"]["tests"] == {"passed": 1, "failed": 1, "skipped": 0}


def test_a_process_that_ends_names_operator_and_test():
    tests = VERIFY.Tests(["muladd"])
    start = result("test_values", "") | {"event": "start"}
    for key in ("outcome", "message", "seconds", "draw"):
        del start[key]
    tests.take(start)
    VERIFY.end_of(tests, -11, "")
    assert tests.failures[0]["message"].startswith(
        "muladd: test_values ended the process by SIGSEGV"
    )


def test_a_person_reads_the_first_failure_soon(capsys):
    """It printed five failures with the same first line, the table of checks, and no command to type."""
    tests = VERIFY.Tests(["muladd"])
    for i in range(9):
        tests.take(result(f"test_values[{i}]", "failed", "muladd: the result differs\nby much"))
    tests.take(result("test_strided", "passed"))
    printed = capsys.readouterr().err
    assert printed.count("\n") == 2 and printed.count("the result differs") == 1
    failure = VERIFY.failure_of(tests, None, None, 7)
    failure["call"] = "import torch, my_ops; my_ops.muladd(1)"
    verdict = {"failure": failure, "checks": tests.checks(True), "speed": []}
    VERIFY.show(verdict | {"cuda": {"run": False}})
    lines = capsys.readouterr().err.splitlines()
    assert lines[1:4] == [failure["test"], "muladd: the result differs", "by much"]
    assert lines[4] == "again: SEED=7 pytest 'tests/test_muladd.py::test_values[0]'"
    assert lines[5] == f"call:  {failure['call']}"
    assert [x.split() for x in lines[6:]] == [
        [],
        ["muladd", "values", "cpu", "failed", "9", "failed"],
    ]


def test_a_skip_has_its_reason(capsys):
    """Sizes that a reference refuses were counted, and nothing else."""
    tests = VERIFY.Tests(["muladd"])
    refused = "the result with K=257 is refused: a size of the signature is negative"
    for name, outcome, message in [
        ("test_values", "passed", ""),
        ("test_values_of_many", "skipped", "no argument is a list"),
        ("test_values_with_another_size[257]", "skipped", refused),
        ("test_values_with_another_size[33]", "skipped", refused),
    ]:
        tests.take(result(name, outcome, message))
    (check,) = tests.checks(quick=False)
    assert check["status"] == "passed" and check["reason"] == ""
    assert check["skipped"] == [refused, "no argument is a list"]
    VERIFY.show({"failure": None, "checks": [check], "speed": [], "cuda": {"run": False}})
    printed = capsys.readouterr().err
    assert "1 passed, 3 skipped: the result with K=257 is refused: a size" in printed
    assert printed.endswith("(--json has 1 other reason)\n")


def test_the_verdict_has_what_tests_allow():
    allowed = {"a": {"fixed": ["up"], "replaced": ["test_values"]}, "b": {}, "c": {"rtol": 0.5}}
    said = '; its tests allow a: fixed=["up"], its own test_values; c: rtol=0.5'
    assert VERIFY.allowed_words(allowed) == said
    assert VERIFY.allowed_words({"b": {}}) == ""


def test_the_verdict_names_files_with_marks(project):
    """A placeholder that nobody edited was right, without a word."""
    assert VERIFY.unfinished_words(project, ["muladd"]) == ""
    mark = "// EDIT" + ": the math\n"
    (project.root / FILE).write_text(mark)
    said = "; EDIT marks are left in "
    assert VERIFY.unfinished_words(project, ["muladd"]) == f"{said}{FILE}"
    (project.root / "my_ops/ops/muladd.py").write_text(mark)
    both = f"{said}my_ops/ops/muladd.py and {FILE}"
    assert VERIFY.unfinished_words(project, ["muladd"]) == both
    (project.root / "my_ops/csrc/muladd/muladd.cpp").write_text(mark)
    assert VERIFY.unfinished_words(project, ["muladd"]).endswith("muladd.py and 2 other files")
    assert VERIFY.unfinished_words(project, ["other"]) == ""


def test_ratios_of_a_benchmark():
    row = {
        "dtype": "float32",
        "numel": 4096,
        "pass": "forward",
        "GB/s": {"op": 90.0, "eager": 45.0, "torch.compile": 60.0, "kernel": 95.0, "copy": 100.0},
        "spread": dict.fromkeys(("op", "eager", "torch.compile", "kernel", "copy"), 0.01),
        "doubtful": ["eager"],
        "bound by the host": False,
    }
    (found,) = VERIFY.ratios("muladd", {"rows": [row]})
    assert (found["of_limit"], found["of_reference"], found["of_compile"]) == (0.95, 2.0, 1.5)
    assert faults([found], schema()["properties"]["speed"]) == []


def test_a_project_without_tests_is_not_judged(project):
    """A judge calls it by its path; the JSON object follows the schema."""
    (project.root / "tests/test_muladd.py").unlink()
    path = TEMPLATE / "template" / "{{ project }}" / "_kit" / "verify.py"
    command = [sys.executable, path, "--project", project.root, "--json", "-"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 3, ran.stderr
    verdict = json.loads(ran.stdout)
    assert faults(verdict) == []
    assert verdict["verdict"] == "not judged"
    assert "no operator with a test file" in verdict["reason"]


def test_schema_of_the_page_is_the_version_of_the_command():
    assert schema()["properties"]["schema"]["enum"] == [VERIFY.SCHEMA]
    assert schema()["properties"]["verdict"]["enum"] == VERIFY.VERDICTS
    checks = schema()["properties"]["checks"]["items"]["properties"]["check"]["enum"]
    assert checks == ["build", *VERIFY.CHECKS, "speed"]
    assert faults({"schema": 2}) != []


def test_unknown_options_are_no_verdict():
    """argparse would end with 2, which is what does not compile."""
    with pytest.raises(SystemExit) as ended:
        VERIFY.main(["--nothing"])
    assert ended.value.code == 3


def test_an_interrupted_judgement_is_a_verdict(project, monkeypatch, capsys):
    """`timeout 60 python -m my_ops.verify` had no verdict, and no JSON."""

    def judge(options, verdict):
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()

    monkeypatch.setattr(VERIFY, "judge", judge)
    assert VERIFY.main(["--json", "-", "--project", str(project.root)]) == 3
    verdict = json.loads(capsys.readouterr().out)
    assert faults(verdict) == []
    assert verdict["verdict"] == "not judged" and "interrupted" in verdict["reason"]


def alive(pid: int) -> bool:
    """Return whether a process runs that nobody here waits for."""
    try:
        return Path("/proc", str(pid), "stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_an_interruption_leaves_no_process(project, monkeypatch):
    def say(line):
        raise KeyboardInterrupt(line)

    monkeypatch.setattr(VERIFY, "say", say)
    code = "import subprocess; x = subprocess.Popen(['sleep', '60']); print(x.pid, flush=True); x.wait()"
    with pytest.raises(KeyboardInterrupt) as ended:
        VERIFY.run_shown([sys.executable, "-c", code], project)
    end = time.monotonic() + 30
    while alive(int(str(ended.value))):
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_fault_of_the_command_is_no_verdict(project, monkeypatch, capsys):
    """Status 1 would say that the operator is wrong."""

    def judge(options, verdict):
        raise ValueError("a fault")

    monkeypatch.setattr(VERIFY, "judge", judge)
    assert VERIFY.main(["--project", str(project.root)]) == 3
    assert "not judged: " in capsys.readouterr().out
    monkeypatch.setenv("SEED", "abc")
    with pytest.raises(VERIFY.NotJudged, match='SEED is "abc", not a number'):
        VERIFY.judge_tests(None, {}, project, project.root, ["muladd"])


def test_a_file_that_cannot_be_written_is_refused_first(project, capsys):
    for name in ("/nonexistent/v.json", str(project.root)):
        with pytest.raises(SystemExit) as ended:
            VERIFY.main(["--json", name])
        assert ended.value.code == 3
        assert f"--json: {name} cannot be written to" in capsys.readouterr().err


def test_nobody_reads_the_verdict(project):
    """As in `python -m my_ops.verify --json FILE | true`."""
    (project.root / "tests/test_muladd.py").unlink()
    file = project.root / "verdict.json"
    path = TEMPLATE / "template" / "{{ project }}" / "_kit" / "verify.py"
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, path, "--project", project.root, "--json", file]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert ran.returncode == 3 and "Error" not in ran.stderr, ran.stderr
    assert json.loads(file.read_text())["verdict"] == "not judged"


def test_the_verdict_has_what_only_the_operator_refuses():
    by_operator = "the result with %s is refused only by the operator: too large"
    both = "the result with N=5 is refused: too large"
    said = ["N=33", "N=257", "N=257", "D=33"]
    results = [
        result("test_values", "skipped", x) for x in [both, *(by_operator % x for x in said)]
    ]
    words = "; muladd refuses N=33 and 2 other cases, which its reference accepts"
    assert VERIFY.refused_words(results) == words
    assert VERIFY.refused_words(results[:3]) == words.replace("2 other cases", "N=257")
    assert VERIFY.refused_words(results[:1]) == ""


def test_a_kit_is_found_in_the_template_and_in_a_project(tmp_path):
    assert VERIFY.suite_of(TEMPLATE) == SUITE.parent
    assert {
        "_kit/checks.py",
        "_kit/verify.py",
        "verify.py",
        "csrc/kit/tensors.h",
    } <= VERIFY.files_of_kit(TEMPLATE).keys()
    with pytest.raises(VERIFY.NotJudged, match="is not a kit"):
        VERIFY.suite_of(Path(tmp_path))


def test_files_of_the_kit_are_beside_the_samples(project):
    """No link: Python would import `common` from the folder that a link leads to."""
    for name in ("benchmarks/bench_muladd.py", "benchmarks/common.py", "conftest.py"):
        path = project.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("# the author's\n")
    with VERIFY.judged_by(project, TEMPLATE) as folder:
        bench, common = (folder / "benchmarks" / x for x in ("bench_muladd.py", "common.py"))
        assert not bench.is_symlink() and bench.read_text() == "# the author's\n"
        assert common.read_bytes() == (TEMPLATE / "template/benchmarks/common.py").read_bytes()
        assert not (folder / "conftest.py").exists()
        assert (folder / "my_ops").samefile(project.package)
        assert (folder / "tests/my_ops_suite/operators.py").exists()
    assert not folder.exists()


BENCHMARKS = {
    "sys.exit(9)": ("failed", "muladd: wrong"),
    "raise ValueError('muladd: wrong')": (
        "error",
        "ended with an error: ValueError: muladd: wrong",
    ),
}


@pytest.mark.parametrize("end", BENCHMARKS)
def test_an_error_of_a_benchmark_is_no_wrong_result(end, project, monkeypatch):
    """It finds `common` beside it where Python is told not to look in a script's folder, too."""
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    status, reason = BENCHMARKS[end]
    folder = project.root / "benchmarks"
    folder.mkdir()
    (folder / "common.py").write_text("import sys\n")
    lines = ["from common import sys", "print('muladd: wrong', file=sys.stderr)", end]
    (folder / "bench_muladd.py").write_text("\n".join(lines))
    if status == "error":
        with pytest.raises(VERIFY.NotJudged, match=reason):
            VERIFY.measure(project, project.root, "muladd", True)
    else:
        check, rows = VERIFY.measure(project, project.root, "muladd", True)
        assert (check["status"], check["reason"], rows) == (status, reason, [])


def test_the_status_of_a_wrong_result_is_the_benchmark_s():
    assert kit_module("common", "benchmarks").WRONG == VERIFY.WRONG


def test_the_failure_that_names_a_cause_is_shown(project):
    tests = VERIFY.Tests(["muladd"])
    kept = f"the result for other values ({VERIFY.CAUSES[0]}) differs"
    for name, message in [
        ("test_opcheck", "incorrect gradients"),
        ("test_values", "the result differs"),
        ("test_other_values_in_the_same_memory", kept),
    ]:
        tests.take(result(name, "failed", message))
    assert VERIFY.failure_of(tests, project, project.root, 1)["message"] == kept
    assert f"({VERIFY.CAUSES[0]})" in (SUITE / "common.py").read_text()
    assert all(x in (SUITE / "guards.py").read_text() for x in VERIFY.CAUSES[1:])
