"""Shows of a build what compilers and linkers say, without the commands around it, and sums it up."""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

# Lines of ninja: a step that is done, as [2/3], and noise.
_STEP = re.compile(r"\[ *\d+(/\d+|%)\] ")
_NOISE = re.compile(r"ninja: (?!error)")
_COLORS = re.compile(r"\033\[[\d;]*[mK]")
# Where g++ and clang see an error, muladd.h:15:18:, and nvcc, muladd.h(15):
_ERROR = re.compile(r"^(.+?)[:(](\d+)\b[^ \n]*: .*\berror\b[^:\n]*: (.*)", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined (?:symbol: |reference to [`'])([^'\n]+)")


class BuildError(ImportError):
    """The library cannot be compiled or loaded; what the compiler says is on stderr by then."""


@contextmanager
def compiling() -> Iterator[None]:
    """Show, on stderr, what the tools say whose output a build writes to stdout meanwhile."""
    log: list[str] = []
    try:
        with _reading_stdout(log), loading():
            yield
    except (Exception, SystemExit) as error:
        cause: BaseException | None = error
        while cause and not isinstance(cause, subprocess.CalledProcessError):
            cause = cause.__cause__ or cause.__context__
        if cause is None:  # no tool
            raise
        raise BuildError(what_to_mend("\n".join(log))) from None


@contextmanager
def loading() -> Iterator[None]:
    """Name, in a BuildError, the symbol that a library lacks."""
    try:
        yield
    except (ImportError, OSError) as error:
        # PyTorch says which library it cannot load, and the cause of that error says why.
        reason = str(error.__cause__ or error)
        raise BuildError(_undefined(reason) or reason) from None


def author_lines(log: Iterable[str]) -> Iterator[str]:
    """Yield what an author needs of a build's log: a step by its file, and what the tools say."""
    log = iter(log)
    for line in log:
        line = _COLORS.sub("", line)  # of tools that were told to color
        if step := _STEP.match(line):
            if source := re.search(r"[^/\s]+\.(cpp|cu)\b", line):
                yield step[0] + source[0]
        elif line.startswith("FAILED: "):
            next(log, None)  # the command
        elif not _NOISE.match(line):
            yield line.rstrip().replace(f"{Path.cwd()}/", "")


def what_to_mend(log: str) -> str:
    """Return the sentence that follows the lines of a build that failed."""
    if undefined := _undefined(log):
        return undefined
    for file, line, why in _ERROR.findall(log):
        if Path(file).resolve().is_relative_to(_PACKAGE):
            return f"{_PACKAGE.name} does not compile: mend line {line} of {file}, {why}"
    if re.search("include/(pybind11/|torch/extension.h)", log):
        return f"{_PACKAGE.name} does not compile: take torch/extension.h or torch/torch.h out of csrc/"
    return f"{_PACKAGE.name} does not compile: mend what is said above"


def _undefined(log: str) -> str | None:
    """Return which symbol a linker misses, if this is about one."""
    found = _UNDEFINED.search(log)
    if found is None:
        return None
    symbol = found[1].strip()
    if filt := shutil.which("c++filt"):  # which comes with the linker
        symbol = subprocess.check_output([filt, symbol], text=True).strip()
    way = "if it is of a library of others, name that at EDIT in setup.py"
    return f"the library lacks `{symbol}`, which no file in csrc/ defines: {way}"


@contextmanager
def _reading_stdout(log: list[str]) -> Iterator[None]:
    """Print on stderr what the author needs of what is written to stdout, and add it to a log."""
    sys.stdout.flush()
    reading, writing = os.pipe()
    stdout = os.dup(1)
    os.dup2(writing, 1)
    os.close(writing)

    def show() -> None:
        with open(reading, encoding="utf-8", errors="replace") as lines:
            for line in author_lines(lines):
                log.append(line)
                print(_colored(line), file=sys.stderr, flush=True)

    reader = threading.Thread(target=show)
    reader.start()
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(stdout, 1)
        os.close(stdout)
        reader.join()


def _colored(line: str) -> str:
    forced = os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")  # as CMake and ninja read it
    if os.environ.get("NO_COLOR") or not (forced or sys.stderr.isatty()):
        return line
    line = re.sub(r"\b(fatal )?error\b[^:]*:", "\033[1;31m\\g<0>\033[0m", line)
    return re.sub(r"\bwarning\b[^:]*:", "\033[1;35m\\g<0>\033[0m", line)
