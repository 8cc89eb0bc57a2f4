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
# What ld, lld and that of macOS say of a library and of a function, and what mends it.
_LINKERS = {
    r"(?:cannot find -l|unable to find library -l|library (?:not found for -l|'))([^\s:']+)": (
        "the linker finds no library `{}`; install it, or put `-L` and its folder before it, at EDIT in setup.py"
    ),
    r"(?:multiple definition of [`']|duplicate symbol:? '?)([^'\n]+)": (
        "two files define `{}`; if it is in a header, write `inline` before it"
    ),
}


class BuildError(ImportError):
    """The library cannot be compiled or loaded; what the compiler says is on stderr by then."""


@contextmanager
def compiling() -> Iterator[None]:
    """Show, on stderr, what the tools say whose output a build writes to stdout meanwhile."""
    _refuse_modules()
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
    """Name, in a BuildError, the symbol that a library lacks, and the file that should define it."""
    try:
        yield
    except (ImportError, OSError) as error:
        # PyTorch says which library it cannot load, and the cause of that error says why.
        reason = str(error.__cause__ or error)
        raise BuildError(_undefined(reason) or reason) from None


def _refuse_modules() -> None:
    """Refuse sources of a Python module; a hundred errors in PyTorch's headers would not say so."""
    module = r"[ \t]*(#\s*include\s*[<\"](torch/(extension|python)|pybind11/\w+|Python)\.h[>\"]|PYBIND11_MODULE)"
    for path in sorted(_PACKAGE.glob("csrc/**/*")):
        if path.suffix not in (".h", ".cuh", ".cpp", ".cu"):
            continue
        text = path.read_text(errors="replace")
        if found := re.search(f"^{module}", text, re.MULTILINE):
            line = text.count("\n", 0, found.start(1)) + 1
            raise BuildError(
                f"take line {line} out of {path.relative_to(_PACKAGE.parent)}, `{found[1]}`: it is of "
                "a Python module, and this library has none, so that it is for every Python. "
                "`binding=pybind11` has one"
            )


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
    for said, sentence in _LINKERS.items():
        if found := re.search(said, log):
            return f"{_PACKAGE.name} cannot be linked: {sentence.format(found[1].strip())}"
    for file, line, why in _ERROR.findall(log):
        if Path(file).resolve().is_relative_to(_PACKAGE):
            return f"{_PACKAGE.name} does not compile: mend line {line} of {file}, {why}"
    if re.search("include/(pybind11/|torch/extension.h)", log):
        return f"{_PACKAGE.name} does not compile: take torch/extension.h or torch/torch.h out of csrc/"
    return (
        f"{_PACKAGE.name} does not compile: mend what is said above, and if that is no line of "
        f"yours, see what `python -m {_PACKAGE.name}.doctor` says"
    )


def _undefined(log: str) -> str | None:
    """Return which symbol a linker misses, and the file that should define it, if this is about one."""
    found = _UNDEFINED.search(log)
    if found is None:
        return None
    symbol = found[1].strip()
    if filt := shutil.which("c++filt"):  # which comes with the linker
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
    way = "if it is of a library of others, name that at EDIT in setup.py"
    if re.search(r"\b(at|c10|torch)::|^(aoti_)?torch_", symbol):
        way = "was it compiled for another PyTorch?"
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
