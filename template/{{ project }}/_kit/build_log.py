"""Shows messages of compilers and linkers during a build, but no commands, and sums them up.

Shared code of the template: do not edit.
"""

import logging
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_PROJECT = runpy.run_path(str(_PACKAGE / "_project.py"))
# The file in which an author names third-party libraries.
_FLAGS = {"setuptools": "setup.py", "cmake": "CMakeLists.txt"}.get(
    _PROJECT["BUILD"], f"{_PACKAGE.name}/_library.py"
)
_IS_MODULE = _PROJECT["BINDING"] == "pybind11"  # otherwise the library serves every Python

# Lines of ninja, make and CMake: a finished step, as [2/3], and noise.
_STEP = re.compile(r"\[ *\d+(/\d+|%)\] ")
_NOISE = re.compile(r"ninja: (?!error)|g?make(\[\d+\])?: |-- |\*\*\* |loading initial cache")
# From ninja 1.12 on, this line has the exit status. The next line is the command.
_FAILED = re.compile(r"FAILED: (?:\[code=(\d+)\])?")
_COLORS = re.compile(r"\033\[[\d;]*[mK]")
# g++ and clang print the place of an error as `muladd.h:15:18:`, nvcc as `muladd.h(15):`.
_ERROR = re.compile(r"^(.+?)[:(](\d+)\b[^ \n]*: .*\berror\b[^:\n]*: (.*)", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined (?:symbol: |reference to [`'])([^'\n]+)")
# Messages of ld, lld and macOS's linker about a missing library or a second definition, with the
# fix.
_LINKERS = {
    r"(?:cannot find -l|unable to find library -l|library (?:not found for -l|'))([^\s:']+)": (
        "the linker finds no library `{}`; install it, or add `-L` with its folder "
        f"at EDIT in {_FLAGS}"
    ),
    r"(?:multiple definition of [`']|duplicate symbol:? '?)([^'\n]+)": (
        "two files define `{}`; if it is in a header, write `inline` before it"
    ),
}


class BuildError(ImportError):
    """The library cannot be compiled or loaded. The compiler's messages are already on stderr."""


@contextmanager
def compiling() -> Iterator[None]:
    """Show the messages of a build's tools on stderr; the build itself writes them to stdout.

    If a tool fails, raise a BuildError that tells what to fix.
    """
    if not _IS_MODULE:
        _refuse_modules()
    log: list[str] = []
    failed: list[str] = []
    try:
        with _reading_stdout(log, failed), loading():
            yield
    except (Exception, SystemExit) as error:
        cause: BaseException | None = error
        while cause and not isinstance(cause, subprocess.CalledProcessError):
            cause = cause.__cause__ or cause.__context__
        if not isinstance(cause, subprocess.CalledProcessError):  # not an error of a build tool
            raise
        command = cause.cmd if isinstance(cause.cmd, str) else shlex.join(map(str, cause.cmd))
        failed.append(f"`{command}` ended with status {cause.returncode}")
        raise BuildError(what_to_fix("\n".join(log), failed[0])) from None


@contextmanager
def loading() -> Iterator[None]:
    """Raise a BuildError if a library cannot be loaded.

    Its message names a missing symbol and the file to define it in, or gives the loader's reason.
    """
    try:
        yield
    except (ImportError, OSError) as error:
        # PyTorch's error names the library that cannot be loaded. The cause of that error has the
        # reason.
        reason = str(error.__cause__ or error)
        raise BuildError(_undefined(reason) or reason) from None


def _refuse_modules() -> None:
    """Refuse sources of a Python module, which cause a hundred errors in headers."""
    headers = r"#\s*include\s*[<\"](torch/(extension|python)|pybind11/\w+|Python)\.h[>\"]"
    module = rf"[ \t]*({headers}|PYBIND11_MODULE)"
    for path in sorted(_PACKAGE.glob("csrc/**/*")):
        if path.suffix not in (".h", ".cuh", ".cpp", ".cu"):
            continue
        text = path.read_text(errors="replace")
        if found := re.search(f"^{module}", text, re.MULTILINE):
            line = text.count("\n", 0, found.start(1)) + 1
            raise BuildError(
                f"delete line {line} of {path.relative_to(_PACKAGE.parent)}, `{found[1]}`: only a "
                "Python module may contain it, and this library works with every Python. For a "
                "module, run `copier update --defaults --data binding=pybind11`"
            )


def _may_be_a_cause(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(("No CUDA runtime", "Attempted to use ninja"))


def drop_warnings() -> None:
    """Drop PyTorch's warnings that never explain a failure: CUDA without a GPU, a missing ninja.

    Call it before the first import of torch.utils.cpp_extension.
    """
    logging.getLogger("torch.utils.cpp_extension").addFilter(_may_be_a_cause)


def author_lines(log: Iterable[str], failed: list[str]) -> Iterator[str]:
    """Yield the lines of a build's log that an author needs: the file of each step, and messages.

    Add the commands that failed to `failed`.
    """
    log = iter(log)
    for line in log:
        line = _COLORS.sub("", line)  # tools may have been told to use colors
        if step := _STEP.match(line):
            if source := re.search(r"[^/\s]+\.(cpp|cu)\b", line):
                yield step[0] + source[0]
        elif found := _FAILED.match(line):
            end = f"ended with status {found[1]}" if found[1] else "failed"
            failed.append(f"`{next(log, '').strip()}` {end}")
        elif not _NOISE.match(line):
            yield line.rstrip().replace(f"{Path.cwd()}/", "")


def what_to_fix(log: str, failed: str = "a command failed") -> str:
    """Return the last sentence to print about a build that failed."""
    if undefined := _undefined(log):
        return undefined
    for pattern, sentence in _LINKERS.items():
        if found := re.search(pattern, log):
            return f"{_PACKAGE.name} cannot be linked: {sentence.format(found[1].strip())}"
    for file, line, why in _ERROR.findall(log):
        if Path(file).resolve().is_relative_to(_PACKAGE):
            return f"{_PACKAGE.name} does not compile: fix line {line} of {file}, {why}"
    if not _IS_MODULE and re.search("include/(pybind11/|torch/extension.h)", log):
        headers = "torch/extension.h or torch/torch.h"
        return f"{_PACKAGE.name} does not compile: delete the #include of {headers}"
    messages = [line for line in log.splitlines() if not _STEP.match(line)]
    above = "; fix what it printed above" if messages else ""
    more = f"`python -m {_PACKAGE.name}.doctor` lists faults of compilers"
    return f"{_PACKAGE.name} does not compile: {failed}{above}; {more}"


def _undefined(log: str) -> str | None:
    """Return a sentence about the first missing symbol in a log, or None.

    If a file of csrc/ should define the symbol, the sentence names the file.
    """
    found = _UNDEFINED.search(log)
    if found is None:
        return None
    symbol = found[1].strip()
    if filt := shutil.which("c++filt"):  # comes with the linker
        symbol = subprocess.check_output([filt, symbol], text=True).strip()
    kernel = re.search(r"(\w+Args)\b.*run_on_(cpu|gpu)", symbol)
    for header in _PACKAGE.glob("csrc/*/*_args.h"):
        name = header.parent.name
        if kernel and f"struct {kernel[1]} " in header.read_text():
            file = header.with_name(name + {"cpu": "_cpu.cpp", "gpu": "_cuda.cu"}[kernel[2]])
        elif re.search(rf"\b{_PACKAGE.name}::{name}(_\w+)?\(", symbol):
            file = header.with_name(f"{name}.cpp")
        else:
            continue
        path = file.relative_to(_PACKAGE.parent)
        if kernel and not file.exists():
            way = f"write {path}, or delete run_on_{kernel[2]} in {header.name}"
            return f"the library lacks `{symbol}`: {way}"
        return f"the library lacks `{symbol}`, which {path} should define with these arguments"
    way = f"if it is in a third-party library, name the library at EDIT in {_FLAGS}"
    if re.search(r"\b(at|c10|torch)::|^(aoti_)?torch_", symbol):
        way = "was it compiled for another PyTorch?"
    return f"the library lacks `{symbol}`, which no file in csrc/ defines: {way}"


def _open_stdout() -> None:
    """Open stdout if a service closed it. Otherwise, a pipe would get its descriptor."""
    try:
        os.fstat(1)
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        if null != 1:
            os.close(null)


@contextmanager
def _reading_stdout(log: list[str], failed: list[str]) -> Iterator[None]:
    """Copy the lines that the author needs from stdout to stderr, and add them to a log."""
    _open_stdout()
    if sys.stdout:
        sys.stdout.flush()
    reading, writing = os.pipe()
    stdout = os.dup(1)
    os.dup2(writing, 1)
    os.close(writing)

    def show() -> None:
        with open(reading, encoding="utf-8", errors="replace") as lines:
            for line in author_lines(lines, failed):
                log.append(line)
                if sys.stderr:
                    print(_colored(line), file=sys.stderr, flush=True)

    reader = threading.Thread(target=show)
    reader.start()
    try:
        yield
    finally:
        if sys.stdout:
            sys.stdout.flush()
        os.dup2(stdout, 1)
        os.close(stdout)
        reader.join()


def _colored(line: str) -> str:
    # CMake and ninja read this variable
    forced = os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
    if os.environ.get("NO_COLOR") or not (forced or sys.stderr.isatty()):
        return line
    line = re.sub(r"\b(fatal )?error\b[^:]*:", "\033[1;31m\\g<0>\033[0m", line)
    return re.sub(r"\bwarning\b[^:]*:", "\033[1;35m\\g<0>\033[0m", line)
