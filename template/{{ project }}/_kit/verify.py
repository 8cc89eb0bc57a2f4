"""Judges operators: builds them, runs their tests, measures them on a GPU, and prints one verdict.

It needs no compiled library, and imports PyTorch only in other processes. This file is the same in
every project.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import random
import re
import runpy
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TextIO

HERE = Path(__file__).resolve().parents[1]  # the package, or its folder in the template
SCHEMA = 1  # of the JSON object: incremented if a key gets another meaning
VERDICTS = ["right", "wrong", "does not compile", "not judged"]  # by exit status
EPILOG = """
exit status: 0 right, 1 wrong, 2 does not compile, 3 could not be judged
--json - prints JSON. docs/verdict.md in the template describes the JSON. The template's address is
_src_path in .copier-answers.yml.
"""
# A test belongs to the first check whose pattern matches its name. A test that no other pattern
# matches is in the last check.
CHECKS = {
    "values": r"values|empty|absent_results|defaults|equal_bounds|bounds_of|no_finite|rounds_as"
    r"|far_from_zero|rows_of_each|effect",
    "layouts": r"strided|strides|layout_of",  # and tests of values in other memory layouts
    "dtypes": r"dtype_of_the_result",  # and tests of values in another dtype than the first one
    "memory": r"write|shared_memory|is_written|beyond_32_bits|other_values|memory",
    "gradients": r"grad|differentiate|forward_mode|transforms",
    "opcheck": r"opcheck",
    "compile": r"compile",
    "vmap": r"vmap",
    "autocast": r"autocast",
    "threads": r"threads|deterministic|same_each_time",
    "streams": r"stream|cuda_graph|device_of_its_arguments",
    "refusals": r"refuses",
    "own kernel": r"own_kernel",
    "other tests": r"",
}
# The patterns of these checks are tried first, for names such as
# test_refuses_a_gradient_of_what_it_writes.
FIRST = ["refusals", "opcheck", "streams", "threads", "vmap", "autocast", "own kernel", "compile"]
FIRST += ["memory"]
QUICK = {"values", "layouts", "dtypes", "memory", "gradients", "streams", "own kernel"}
SECONDS = 600  # the longest time of one test
QUICKLY = "--quick leaves it out"
WRONG = 9  # the status of a benchmark that finds a wrong result, in benchmarks/common.py
# Failures with these texts explain other failures.
CAUSES = ("does the operator cache results by address?", "writes outside of", "reads outside of")
MOST_COLUMNS = 50  # of a reason in the table
BY_NVCC = "; nvcc compiles the operator's .cu files"  # the end of a reason in conftest.py
SHOWN = 2  # the number of different failures to print while tests run
# Numbers of elements in a benchmark.
SIZES = {"quick": [2**22], "all": [2**16, 2**20, 2**24, 2**26]}
# g++ and clang print the place of an error as `muladd.h:15:18:`, nvcc as `muladd.h(15):`.
COMPILER_ERROR = re.compile(
    r"^(.+?)[:(](\d+)\b[^ \n]*: .*\berror\b[^:\n]*: (.*)|fix line (\d+) of (.+?), (.*)",
    re.MULTILINE,
)
# The suite skips a test with this reason if an operator refuses arguments and its reference does not.
ONLY_HERE = re.compile(r"(?:the result (?:with|for) )?(.+) is refused only by the operator: ")
NO_BUILD = re.compile(r"does not compile|cannot be linked|the library lacks|BuildError")
PYTHON_ERROR = re.compile(r'^ *File "(.+?)", line (\d+)', re.MULTILINE)
# Files of a package that depend on Copier's answers. Files that are still to edit contain MARK.
OWN = {"_project.py", "_operators.py", "__init__.py"}
MARK = b"EDIT" + b":"  # written in two parts, so that a search for marks does not find it here


class NotJudged(Exception):
    """The reason why the operators were not judged."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(3, f"{self.prog}: {message}\n")


def say(*words: object, file: TextIO | None = None) -> None:
    """Print, to stderr by default. The program that reads the output may have ended, as `head` does."""
    file = file or sys.stderr
    try:
        print(*words, file=file, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


def writable(name: str) -> str:
    """Return the name of a file, or refuse it before the tests run."""
    path = Path(name)
    if name != "-" and (
        path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK)
    ):
        raise argparse.ArgumentTypeError(f"{name} cannot be written to")
    return name


# ---- The project that is judged


class Project:
    """A repository, and the package in it."""

    def __init__(self, root: Path) -> None:
        found = [x.parent for x in sorted(root.glob("*/_project.py"))]
        if not found:
            raise NotJudged(f"there is no package in {root}")
        self.root, self.package = root, found[0]
        self.name = self.package.name
        self.facts = runpy.run_path(str(self.package / "_project.py"))
        self.build: str = self.facts["BUILD"]
        self.tests = root / "tests"

    def operators(self) -> list[str]:
        names = (x.stem for x in sorted((self.package / "ops").glob("[!_]*.py")))
        return [name for name in names if (self.tests / f"test_{name}.py").exists()]

    def has_cpu_kernel(self, name: str) -> bool:
        text = (self.package / "ops" / f"{name}.py").read_text()
        without = re.search(r"^HAS_CPU_KERNEL *= *False", text, re.MULTILINE)
        return self.build != "nvrtc" and not without

    def python(self, code: str, *arguments: str) -> list[str]:
        """Return a command that runs Python code, without the current folder on the path."""
        return [sys.executable, "-c", f"import sys; sys.path.pop(0); {code}", *arguments]

    def environment(self) -> dict[str, str]:
        made = dict(os.environ)
        made.pop("PYTHONSAFEPATH", None)  # a benchmark imports from its own folder
        made.pop("PYTHONOPTIMIZE", None)  # it would leave out the tests' assertions
        # CMake's editable install finds the library. In other builds, the library is in the
        # repository or in a cache.
        path = [] if self.build == "cmake" else [str(self.root)]
        path += filter(None, [os.environ.get("PYTHONPATH")])
        return made | {"PYTHONPATH": os.pathsep.join(path)} if path else made

    def commands(self) -> list[list[str]]:
        """Return the commands that compile and load the library; in some builds, only an import."""
        commands = {
            "setuptools": [[sys.executable, "setup.py", "build_ext", "--inplace"]],
            "cmake": [[sys.executable, "-m", "pip", "install", "--no-build-isolation", "-e", "."]],
        }.get(self.build, [])
        code = f"import {self.name}"
        if self.build == "nvrtc":
            code = f"from {self.name}._kit import doctor; print(doctor.nvrtc())"
        return [*commands, self.python(code)]


# ---- The kit that a project is judged with


def base_of(kit: Path) -> Path:
    """Return the folder that contains a kit's files, in a copy of the template or in a project."""
    return kit / "template" if (kit / "template" / "tests").is_dir() else kit


def files_of_kit(folder: Path) -> dict[str, set[bytes]]:
    """Return the contents of a kit's shared files, by their paths in a package.

    In the template, a file that depends on the build has several possible contents.
    """
    found: dict[str, set[bytes]] = {}
    for package in base_of(folder).glob("*/"):
        if package.joinpath("_project.py").exists() or package.name.startswith("{{"):
            for path in files_of(package):
                found.setdefault(str(path.relative_to(package)), set()).add(path.read_bytes())
    return found


def files_of(package: Path) -> list[Path]:
    """Return the files of a package that its author never edits."""
    beside = (x for x in package.glob("*.py") if x.name not in OWN and MARK not in x.read_bytes())
    kit = (x for name in ("_kit/*.py", "csrc/kit/*") for x in package.glob(name))
    return sorted([*beside, *kit])


def suite_of(folder: Path) -> Path:
    """Return the folder tests/ of a kit, in a copy of the template or in a project."""
    found = sorted(base_of(folder).glob("tests/*_suite/operators.py"))
    if not found:
        raise NotJudged(f"{folder} is not a kit: it has no tests/*_suite/operators.py")
    return found[0].parents[1]


@contextmanager
def judged_by(project: Project, kit: Path | None) -> Iterator[Path]:
    """Yield the folder to test in: the repository, or a copy of its tests with the kit's suite."""
    if kit is None:
        yield project.root
        return
    theirs = files_of_kit(kit)
    for path in files_of(project.package):
        name = str(path.relative_to(project.package))
        if name == "_library.py" and project.build in ("jit", "inline"):
            continue  # in these builds, the author edits this file
        if name in theirs and path.read_bytes() not in theirs[name]:
            raise NotJudged(f"{path.relative_to(project.root)} differs from the kit in {kit}")
    tests = suite_of(kit)
    with tempfile.TemporaryDirectory(prefix="verify-") as name:
        folder = Path(name)
        for path in project.root.iterdir():
            if path.name not in ("tests", "benchmarks", "conftest.py", ".git"):
                (folder / path.name).symlink_to(path)
        for part, plain in ("tests", "conftest.py"), ("benchmarks", "common.py"):
            (folder / part).mkdir()
            # Test and benchmark files of the kit replace the author's files of the same name. They
            # are copied, not linked: Python would import from the folder of a link's target.
            for place in project.root / part, tests.parent / part:
                for path in place.glob("[tb]e*_*.py"):
                    if not path.name.startswith("test_{"):
                        shutil.copy(path, folder / part)
            shutil.copy(tests.parent / part / plain, folder / part)
        suite = next(tests.glob("*_suite"))
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(suite, folder / "tests" / f"{project.name}_suite", ignore=ignored)
        yield folder


# ---- The build


def place_of(text: str, project: Project) -> dict[str, Any] | None:
    """Return file, line and message of the first error in the output of compilers or Python."""
    root = project.root.resolve()

    def place(path: Path, line: str, message: str) -> dict[str, Any]:
        found = str(path.resolve().relative_to(root))
        return {"file": found, "line": int(line), "message": message}

    for match in COMPILER_ERROR.finditer(text):
        file, line, message, other_line, other_file, other = match.groups()
        path = project.root / (file or other_file)
        given = line or other_line, message or other
        if path.exists() and path.resolve().is_relative_to(root):
            return place(path, *given)
        short = [x for x in project.package.rglob(path.name.split()[-1]) if x.is_file()]
        if len(short) == 1:  # NVRTC prints a header without its folder
            return place(short[0], *given)
    own = project.package.resolve() / "ops"
    for name, number in reversed(PYTHON_ERROR.findall(text)):
        if Path(name).resolve().is_relative_to(own):
            return place(Path(name), number, last_line(text))
    return None


def last_line(text: str) -> str:
    """Return the last line of output that is not a fix; doctor.py prints "-> " before a fix."""
    lines = (x.strip() for x in reversed(text.splitlines()))
    return next((x for x in lines if x and not x.startswith("-> ")), "it printed nothing")


@contextmanager
def running(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Kill the process, and the compilers that it started, if an exception ends the block."""
    try:
        yield
    except BaseException:
        kill(process)
        process.wait()
        raise


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a process that has a session of its own, and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run_shown(command: list[str], project: Project) -> tuple[int, str]:
    """Run a command, show its output, and return its exit status and output."""
    process = subprocess.Popen(
        command,
        cwd=project.root,
        env=project.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    assert process.stdout
    lines = []
    with running(process):
        for line in process.stdout:
            lines.append(line)
            say(f"  {line.rstrip()}")
        return process.wait(), "".join(lines)


def build(project: Project) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Compile and import the library; return the check and the place of the first error."""
    say(f"building {project.name} in {project.root}, {project.build}")
    start = time.monotonic()
    for command in project.commands():
        status, text = run_shown(command, project)
        if status != 0:
            place = place_of(text, project)
            if place is None and not NO_BUILD.search(text):
                raise NotJudged(f"it cannot be built here: {last_line(text)}")
            place = place or {"file": None, "line": None, "message": last_line(text)}
            return check_of("build", "failed", last_line(text), start=start), place
    return check_of("build", "passed", start=start), None


def check_of(name: str, status: str, reason: str = "", **more: Any) -> dict[str, Any]:
    """Return a check in the form of the JSON object."""
    start = more.pop("start", None)
    seconds = more.pop("seconds", 0.0) if start is None else time.monotonic() - start
    return {
        "operator": more.pop("operator", None),
        "check": name,
        "device": more.pop("device", None),
        "status": status,
        "reason": reason,
        "tests": more.pop("tests", {"passed": 0, "failed": 0, "skipped": 0}),
        "skipped": more.pop("skipped", []),
        "seconds": round(seconds, 1),
    }


# ---- The tests


def check_of_test(name: str, parameters: dict[str, str]) -> str:
    """Return the check that a test belongs to, by the test's name and parameters."""
    for check in [*FIRST, *CHECKS]:
        if re.search(CHECKS[check], name) and CHECKS[check]:
            break
    else:
        return "other tests"
    if check == "values" and parameters.get("layout", "contiguous") != "contiguous":
        return "layouts"
    if check == "values" and parameters.get("dtype_number", "0") != "0":
        return "dtypes"
    return check


class Tests:
    """The results of a run of tests, collected from its events."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.results: list[dict[str, Any]] = []
        self.failures: list[dict[str, Any]] = []
        self.shown: list[str] = []  # the first lines of failures that were printed
        self.running: dict[str, Any] | None = None
        self.allowed: dict[str, Any] = {}
        self.machine: dict[str, Any] = {}
        self.patched: str | None = None
        self.uncompiled: dict[str, Any] | None = None  # the operator, and a compiler's output
        self.errors: list[str] = []
        self.count = 0
        self.status: int | None = None

    def take(self, event: dict[str, Any]) -> None:
        kind = event.pop("event")
        if kind == "collected":
            self.count, self.allowed = event["count"], event["allowed"]
        elif kind == "machine":
            self.machine = event
        elif kind == "start":
            self.running = event
        elif kind == "result":
            self.running = None
            self.results.append(event)
            if event["outcome"] == "failed":
                self.failures.append(event)
                first = "".join(event["message"].splitlines()[:1])
                if first not in self.shown and len(self.shown) < SHOWN:
                    self.shown.append(first)
                    say(f"  FAILED {event['test']}\n         {first}")
        elif kind == "patched":
            self.patched = event["what"]
        elif kind == "uncompiled":
            self.uncompiled = event
        elif kind == "error":
            self.errors.append(event["message"])
        elif kind == "end":
            self.status = event["status"]

    def checks(self, quick: bool) -> list[dict[str, Any]]:
        """Return the checks of each operator on each device."""
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for result in self.results:
            check = check_of_test(result["name"], result["parameters"])
            groups.setdefault((result["operator"], check, result["device"]), []).append(result)
        made = []
        order = [*CHECKS]
        by = lambda key: (str(key[0]), order.index(key[1]), str(key[2]))
        for operator, check, device in sorted(groups, key=by):
            tests = groups[operator, check, device]
            counts = Counter(x["outcome"] for x in tests)
            found = {x: counts[x] for x in ("passed", "failed", "skipped")}
            status = "failed" if found["failed"] else "passed" if found["passed"] else "not_run"
            said = Counter(x["message"] for x in tests if x["outcome"] != "passed" and x["message"])
            failed = [x["message"].splitlines()[0] for x in tests if x["outcome"] == "failed"]
            reason = (
                failed[0] if failed else said.most_common(1)[0][0] if status == "not_run" else ""
            )
            skipped = Counter(x["message"] for x in tests if x["outcome"] == "skipped")
            keys = {"operator": operator, "device": device, "tests": found}
            keys |= {"skipped": [x for x, _ in skipped.most_common()]}
            keys |= {"seconds": sum(x["seconds"] for x in tests)}
            made.append(check_of(check, status, reason, **keys))
        if quick:
            for operator in self.names:
                for check in CHECKS:
                    if check not in QUICK:
                        made.append(check_of(check, "not_run", QUICKLY, operator=operator))
        for operator in set(self.names) - {x["operator"] for x in self.results}:
            why = "the tests ended before this operator"
            made.append(check_of("values", "not_run", why, operator=operator, device="cpu"))
        return made


def run_tests(
    project: Project, folder: Path, names: list[str], quick: bool, seed: int, spied: str = ""
) -> Tests:
    """Run the tests of operators in another process, and return what it reports."""
    reading, writing = os.pipe()
    options = {
        "events": writing,
        "package": project.name,
        "spied": spied,
        "quick": sorted(QUICK) if quick else [],
        "draws": str(project.root / "build" / "verify"),
        "verify": __file__,
    }
    every = project.operators() == names and not quick
    files = ["tests"] if every else [f"tests/test_{name}.py" for name in names]
    code = "import runpy; runpy.run_path(sys.argv[1], run_name='verify')['run'](*sys.argv[2:])"
    arguments = [spied] if spied else files
    command = project.python(
        code, str(HERE / "_kit" / "verify_plugin.py"), json.dumps(options), *arguments
    )
    environment = project.environment() | {
        "SEED": str(seed),
        "PYTEST_ADDOPTS": "",
        # plugins that happen to be installed must not change the verdict
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONFAULTHANDLER": "1",
    }
    tests = Tests(names)
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=output,
            pass_fds=[writing],
            start_new_session=True,
        )
        os.close(writing)
        with running(process):
            follow(tests, reading, process, quiet=bool(spied))
            process.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    if tests.status is None:
        end_of(tests, process.returncode, text)
    elif tests.status not in (0, 1) and not tests.errors:
        found = re.findall(r"not tested: .+|^E  .+|^ERROR.+", text, re.MULTILINE)
        tests.errors.append(found[0].strip() if found else last_line(text))
    return tests


def follow(tests: Tests, reading: int, process: subprocess.Popen[bytes], quiet: bool) -> None:
    """Collect the events of a run and show its progress. Kill it if no event comes in time."""
    shown = time.monotonic()
    buffer = b""
    with open(reading, "rb", buffering=0) as events:
        while True:
            ready, _, _ = select.select([events], [], [], SECONDS)
            if not ready:
                kill(process)
                return
            chunk = events.read(65536)
            if not chunk:
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            for line in lines:
                tests.take(json.loads(line))
            if not quiet and time.monotonic() - shown > (1 if sys.stderr.isatty() else 10):
                shown = time.monotonic()
                running = (tests.running or {}).get("test", "")
                say(f"  {len(tests.results)} of {tests.count} tests {running}")


def end_of(tests: Tests, status: int, text: str) -> None:
    """Add a failure for the test that ended the process or, between tests, an error."""
    if tests.running is None:
        tests.errors.append(f"the tests ended with status {status}: {last_line(text)}")
        return
    if status == -signal.SIGKILL:
        how = f"ran for {SECONDS} seconds, or its process was killed, perhaps for lack of memory"
    elif status < 0:
        name = signal.Signals(-status).name
        how = f"ended the process by {name}: does it access memory out of bounds?"
    else:
        how = f"ended the process with status {status}"
    event = tests.running | {"outcome": "failed", "seconds": 0.0, "draw": None, "crashed": True}
    name = event["operator"] or "the package"
    tests.take({"event": "result"} | event | {"message": f"{name}: {event['name']} {how}"})


def failure_of(tests: Tests, project: Project, folder: Path, seed: int) -> dict[str, Any] | None:
    """Return the failure that explains most, with its arguments.

    A test that ended the process runs again, to show its arguments.
    """
    if not tests.failures:
        return None
    order = [*CHECKS]

    def by(event: dict[str, Any]) -> tuple[bool, int]:
        check = check_of_test(event["name"], event["parameters"])
        return not any(x in event["message"] for x in CAUSES), order.index(check)

    first = min(tests.failures, key=by)
    draw = first.get("draw")
    if first.get("crashed") and first["test"]:
        say(f"  running {first['test']} again, to see its arguments")
        path = project.root / "build" / "verify" / "running.json"
        path.unlink(missing_ok=True)
        again = run_tests(project, folder, tests.names, False, seed, spied=first["test"])
        with suppress(OSError, ValueError):
            draw = json.loads(path.read_text()) if again.status != 0 else None
    lines = first["message"].splitlines()
    return {
        "operator": first["operator"],
        "check": check_of_test(first["name"], first["parameters"]),
        "test": first["test"],
        "device": first["device"],
        "message": "\n".join(lines[:10]),
        "arguments": draw["arguments"] if draw else None,
        "call": draw["call"] if draw else None,
        "again": f"SEED={seed} pytest '{first['test']}'",
    }


# ---- Speed


def measure(
    project: Project, folder: Path, name: str, quick: bool
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run the benchmark of an operator on the GPU; return the check and the ratios."""
    start = time.monotonic()
    path = folder / "benchmarks" / f"bench_{name}.py"
    if not path.exists():
        return check_of("speed", "not_run", f"there is no {path.name}", operator=name), []
    sizes = [str(x) for x in SIZES["quick" if quick else "all"]]
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, str(path), "--device", "cuda", "--sizes", *sizes, "--out", out]
        status, text = run_shown(command, project)
        keys: dict[str, Any] = {"operator": name, "device": "cuda", "start": start}
        if status == WRONG:
            return check_of("speed", "failed", last_line(text), **keys), []
        if status != 0:
            raise NotJudged(f"benchmarks/{path.name} ended with an error: {last_line(text)}")
        record = json.loads(Path(out, f"{name}_cuda.json").read_text())
    if not record["rows"]:
        reason = f"a call with {int(sizes[0]):,} elements takes too long"
        return check_of("speed", "not_run", reason, **keys), []
    return check_of("speed", "passed", **keys), ratios(name, record)


def ratios(name: str, record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the ratios of speeds in a benchmark's record."""
    known = ["dtype", "numel", "pass", "spread", "doubtful", "seconds"]
    known += ["bound by the host", "kept bytes"]
    made = []
    for row in record["rows"]:
        (unit,) = (key for key in row if key not in known)
        speed = row[unit]
        others = ("op", "eager", "torch.compile", "kernel")
        (limit,) = (key for key in speed if key not in others)
        made.append(
            {
                "operator": name,
                "pass": row["pass"],
                "dtype": row["dtype"],
                "elements": row["numel"],
                "limit": limit,
                "of_limit": round(speed["kernel"] / speed[limit], 3),
                "of_reference": round(speed["op"] / speed["eager"], 3),
                "of_compile": round(speed["op"] / speed["torch.compile"], 3),
                "spread": round(row["spread"]["op"], 3),
                "doubtful": sorted(row["doubtful"]),
                "bound_by_the_host": row["bound by the host"],
            }
        )
    return made


# ---- The verdict


def cuda_of(project: Project, tests: Tests) -> dict[str, Any]:
    """Return whether the CUDA code was compiled, and whether it ran."""
    on_gpu = [x for x in tests.results if x["device"] == "cuda"]
    if any(x["outcome"] != "skipped" for x in on_gpu):
        return {"compiled": True, "run": True, "reason": ""}
    said = Counter(x["message"] for x in on_gpu)
    reason = next((x for x, _ in said.most_common() if "CUDA" in x or "GPU here" in x), "")
    by_nvcc = reason.endswith(BY_NVCC)  # only with other builds than nvrtc
    compiled = reason == "no GPU here" or by_nvcc
    reason = reason.removesuffix(BY_NVCC) or "no test for a GPU was selected"
    return {"compiled": compiled, "run": False, "reason": reason}


def cuda_words(cuda: dict[str, Any]) -> str:
    if cuda["run"]:
        return "its CUDA code was compiled and run"
    what = "compiled, but not run" if cuda["compiled"] else "neither compiled nor run"
    return f"its CUDA code was {what}: {cuda['reason']}"


def facts_of_machine() -> dict[str, Any]:
    return {"system": platform.platform(), "python": platform.python_version()}


def judge(options: argparse.Namespace, verdict: dict[str, Any]) -> int:
    """Fill in the verdict, and return its exit status."""
    project = Project(options.project.resolve())
    verdict["project"] = project.name
    for module, package in {"torch": "torch", "pytest": "'.[test]'"}.items():
        if importlib.util.find_spec(module) is None:
            raise NotJudged(f"{sys.executable} finds no {module}; pip install {package}")
    known = project.operators()
    if unknown := [x for x in options.operators if x not in known]:
        there = f"; the operators are {', '.join(known)}" if known else ""
        raise NotJudged(f"{unknown[0]} is not an operator with a test file{there}")
    names = sorted(options.operators) or known
    verdict["operators"] = names
    if not names:
        raise NotJudged(f"{project.root} has no operator with a test file")
    kit = options.kit.resolve() if options.kit else None
    with judged_by(project, kit) as folder:
        check, place = build(project)
        verdict["checks"].append(check)
        if place:
            return not_compiled(verdict, place)
        return judge_tests(options, verdict, project, folder, names)


def not_compiled(verdict: dict[str, Any], place: dict[str, Any]) -> int:
    verdict["error"] = place
    at = f"{place['file']}, line {place['line']}: " if place["file"] else ""
    verdict["reason"] = f"{at}{place['message']}"
    return 2


def judge_tests(
    options: argparse.Namespace,
    verdict: dict[str, Any],
    project: Project,
    folder: Path,
    names: list[str],
) -> int:
    given = os.environ.get("SEED") or str(random.randrange(2**32))
    if not given.isdecimal():
        raise NotJudged(f'SEED is "{given}", not a number')
    seed = int(given)
    verdict["seed"] = seed
    say(f"testing {', '.join(names)}, SEED={seed}")
    tests = run_tests(project, folder, names, options.quick, seed)
    verdict["machine"] |= tests.machine
    verdict["allowed"] = tests.allowed
    verdict["checks"] += tests.checks(options.quick)
    verdict["cuda"] = cuda_of(project, tests)
    if tests.patched:
        raise NotJudged(tests.patched)
    if tests.uncompiled:
        text = tests.uncompiled["message"]
        place = place_of(text, project)
        place = place or {"file": None, "line": None, "message": last_line(text)}
        keys = {"operator": tests.uncompiled["operator"], "device": "cuda"}
        verdict["checks"].append(check_of("build", "failed", place["message"], **keys))
        reason = "its .cu files do not compile"
        verdict["cuda"] = {"compiled": False, "run": False, "reason": reason}
        return not_compiled(verdict, place)
    verdict["failure"] = failure_of(tests, project, folder, seed)
    if verdict["failure"]:
        failed = {x["test"] for x in tests.failures}
        verdict["reason"] = verdict["failure"]["message"].splitlines()[0]
        verdict["reason"] += f" ({len(failed)} of {len(tests.results)} tests failed)"
        return 1
    if tests.errors:
        raise NotJudged(tests.errors[0])
    for name in names:
        compared = [x for x in verdict["checks"] if (x["operator"], x["check"]) == (name, "values")]
        if not any(x["status"] == "passed" for x in compared):
            raise NotJudged(f"no test compared values of {name}")
        if not verdict["cuda"]["run"] and not project.has_cpu_kernel(name):
            why = f"no kernel of {name} ran: without a GPU, {name}_reference runs"
            raise NotJudged(f"{why}; {cuda_words(verdict['cuda'])}")
        replaced = tests.allowed.get(name, {}).get("replaced")
        if options.kit and replaced:
            raise NotJudged(f"tests/test_{name}.py replaces {replaced[0]} of the kit")
    status = judge_speed(options, verdict, project, folder, names)
    if status == 0:
        count = sum(x["outcome"] == "passed" for x in tests.results)
        where = "on CPU and GPU" if verdict["cuda"]["run"] else "on the CPU"
        verdict["reason"] = f"{count} tests passed {where}; {cuda_words(verdict['cuda'])}"
        if options.quick:
            verdict["reason"] += "; --quick left out checks"
        verdict["reason"] += refused_words(tests.results) + allowed_words(tests.allowed)
        verdict["reason"] += unfinished_words(project, names)
    return status


def judge_speed(
    options: argparse.Namespace,
    verdict: dict[str, Any],
    project: Project,
    folder: Path,
    names: list[str],
) -> int:
    """Measure on a GPU. After a wrong result, the verdict is "wrong"."""
    for name in names:
        if not verdict["cuda"]["run"]:
            reason = f"speed is measured on a GPU; {verdict['cuda']['reason']}"
            verdict["checks"].append(check_of("speed", "not_run", reason, operator=name))
            continue
        check, rows = measure(project, folder, name, options.quick)
        verdict["checks"].append(check)
        verdict["speed"] += rows
        if check["status"] == "failed":
            verdict["reason"] = check["reason"]
            return 1
    return 0


def unfinished_words(project: Project, names: list[str]) -> str:
    """Return the end of a sentence about files of operators that still have a place to edit."""
    folders = [project.package / "csrc" / name for name in names]
    files = [project.package / "ops" / f"{name}.py" for name in names]
    files += [x for folder in folders for x in sorted(folder.glob("*")) if x.is_file()]
    found = [
        str(x.relative_to(project.root)) for x in files if x.exists() and MARK in x.read_bytes()
    ]
    return f"; EDIT marks are left in {some_of(found, 'files')}" if found else ""


def shortened(text: str) -> str:
    first = text.splitlines()[0]
    return first if len(first) <= MOST_COLUMNS else f"{first[: MOST_COLUMNS - 3]}..."


def refused_words(results: list[dict[str, Any]]) -> str:
    """Return the end of a sentence about what operators refuse, and their references compute."""
    found: dict[str, list[str]] = {}
    for x in results:
        what = ONLY_HERE.match(x["message"]) if x["outcome"] == "skipped" else None
        cases = found.setdefault(x["operator"], []) if what else []
        if what and what[1] not in cases:
            cases.append(what[1])
    return "".join(
        f"; {name} refuses {some_of(cases, 'cases')}, which its reference accepts"
        for name, cases in found.items()
    )


def some_of(found: list[str], kind: str) -> str:
    """Return `a`, `a and b`, or `a and 2 other files`."""
    others = f"{len(found) - 1} other {kind}" if len(found) > 2 else "".join(found[1:])
    return f"{found[0]} and {others}" if others else found[0]


def allowed_words(allowed: dict[str, Any]) -> str:
    """Return the end of a sentence, such as `its tests allow muladd: fixed=["N"]`."""
    found = []
    for name, facts in allowed.items():
        said = [f"{key}={json.dumps(value)}" for key, value in facts.items() if key != "replaced"]
        said += [f"its own {test}" for test in facts.get("replaced", [])]
        found += [f"{name}: {', '.join(said)}"] if said else []
    return f"; its tests allow {'; '.join(found)}" if found else ""


def show(verdict: dict[str, Any]) -> None:
    """Print a failure and the failed checks. Without a failure, print the checks and speeds.

    Checks that `--quick` leaves out, and checks on a GPU if no CUDA code ran, are not printed.
    """
    failure = verdict["failure"]
    if failure:
        say(f"\n{failure['test']}\n{failure['message']}\nagain: {failure['again']}")
        if failure["call"] and len(failure["call"]) < 500:
            say(f"call:  {failure['call']}")
        say()
    for check in verdict["checks"]:
        where = " ".join(filter(None, [check["operator"], check["check"], check["device"]]))
        counts = ", ".join(f"{n} {word}" for word, n in check["tests"].items() if n)
        if failure and check["status"] != "failed":
            continue
        if check["device"] == "cuda" and not verdict["cuda"]["run"]:
            continue  # printed once, in the last line
        if check["reason"] == QUICKLY:
            continue
        words = check["reason"] if check["status"] != "passed" and not failure else counts
        if check["status"] == "passed" and check["skipped"]:
            more = len(check["skipped"]) - 1
            words += f": {shortened(check['skipped'][0])}"
            words += f" (--json has {more} other reason{'s' if more > 1 else ''})" if more else ""
        say(f"  {where:32} {check['status'].replace('_', ' '):8} {words}".rstrip())
    for row in verdict["speed"]:
        what = f"{row['operator']} {row['pass']} {row['dtype']} {row['elements']:,}"
        doubt = "  ! doubtful" if row["doubtful"] else ""
        limit = f"{row['of_limit']:.2f} of the {row['limit']}"
        others = f"{row['of_reference']:.2f} x eager, {row['of_compile']:.2f} x torch.compile"
        say(f"  {what:44} {limit}, {others}{doubt}")


def main(argv: list[str] | None = None) -> int:
    of_package = HERE.joinpath("_project.py").exists()
    prog = f"python -m {HERE.name}.verify" if of_package else "python verify.py"
    parser = Parser(
        prog=prog,
        description=__doc__.partition("\n")[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("operators", nargs="*", metavar="operator", help="operators to judge (default: all)")
    add("--json", type=writable, metavar="FILE", help="file for the verdict as JSON; - is stdout")
    text = "leave out slow checks, such as opcheck and torch.compile, and most sizes of benchmarks"
    add("--quick", action="store_true", help=text)
    text = "use the suite and benchmarks of this kit: a clone of the template, or another project"
    add("--kit", type=Path, metavar="FOLDER", help=text)
    text = "repository to judge (default: the repository of this file)"
    add("--project", type=Path, metavar="FOLDER", default=HERE.parent, help=text)
    options = parser.parse_args(argv)
    verdict: dict[str, Any] = {
        "schema": SCHEMA,
        "project": options.project.resolve().name,
        "verdict": "",
        "status": 3,
        "reason": "",
        "operators": options.operators,
        "quick": options.quick,
        "kit": str(options.kit.resolve()) if options.kit else None,
        "seed": None,
        "machine": facts_of_machine(),
        "cuda": {"compiled": False, "run": False, "reason": "no test ran"},
        "checks": [],
        "error": None,
        "failure": None,
        "allowed": {},
        "speed": [],
        "seconds": 0.0,
    }
    start = time.monotonic()
    # Sent by `timeout`, and by a terminal that is closed: end like Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup sets it
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    try:
        status = judge(options, verdict)
    except NotJudged as why:
        status = 3
        verdict["reason"] = str(why)
    except KeyboardInterrupt:
        status = 3
        verdict["reason"] = "interrupted; the checks that had ended are listed"
    except Exception as error:  # noqa: BLE001, because status 1 would mean a wrong operator
        status = 3
        verdict["reason"] = f"{HERE.name}.verify failed: {type(error).__name__}: {error}"
        say(traceback.format_exc())
    verdict |= {"status": status, "verdict": VERDICTS[status]}
    verdict["seconds"] = round(time.monotonic() - start, 1)
    show(verdict)
    line = f"{verdict['project']}: {verdict['verdict']}: {verdict['reason']}"
    text = json.dumps(verdict, indent=1)
    if options.json and options.json != "-":
        try:
            Path(options.json).write_text(f"{text}\n")
        except OSError as error:  # such as a full disk
            say(f"{options.json} was not written: {error}")
            status = 3
    say(line, file=sys.stderr if options.json == "-" else sys.stdout)
    if options.json == "-":
        say(text, file=sys.stdout)
    return status


if __name__ == "__main__":
    sys.exit(main())
