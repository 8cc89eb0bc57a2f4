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

# Lines of ninja, make and CMake: a step that is done, as [2/3] or [ 66%], and what nobody needs.
_STEP = re.compile(r"\[ *\d+(/\d+|%)\] ")
_NOISE = re.compile(r"ninja: (?!error)|g?make(\[\d+\])?: |-- |\*\*\* |loading initial cache")
_COLORS = re.compile(r"\033\[[\d;]*[mK]")
_SOURCE = re.compile(r"[^/\s]+\.(cpp|cu)\b")
# Where g++ and clang see an error, muladd.h:15:18:, and nvcc, muladd.h(15):
_ERROR = re.compile(r"(?P<file>[^\s:(]+)[:(](?P<line>\d+)\b[^ ]*: .*\berror\b[^:]*: (?P<why>.*)")
_UNDEFINED = re.compile(r"undefined (?:symbol: |reference to [`'])(?P<symbol>[^']+)")
# What ld, lld and that of macOS say of a library that they do not find, and of a function that two files define.
_NO_LIBRARY = re.compile(
    r"(cannot find -l|unable to find library -l|library (not found for -l|'))(?P<name>[^\s:']+)"
)
_TWICE = re.compile(r"(multiple definition of [`']|duplicate symbol:? '?)(?P<symbol>[^']+)")
# What is PyTorch's own, mangled or not.
_OF_PYTORCH = re.compile(r"\b(at|c10|torch)::|_ZNK?(2at|3c10|5torch)|^(aoti_)?torch_")
# Where libraries of others are named.
_FLAGS = "setup.py"
# What runs the kernels of a struct of arguments, mangled or not.
_KERNEL = re.compile(r"([A-Z][A-Za-z0-9]*Args)(?:<|I).*run_on_(cpu|gpu)")

# What makes an extension a Python module; its hundred errors in PyTorch's headers would not say so.
_MODULE = re.compile(
    r'\s*(#\s*include\s*[<"](torch/(extension|python)|pybind11/\w+|Python)\.h[>"]|PYBIND11_MODULE)'
)


class BuildError(ImportError):
    """The library cannot be compiled or loaded; what the compiler says is on stderr by then."""


@contextmanager
def compiling(folder: Path | None = None) -> Iterator[None]:
    """Show, on stderr, what the tools say whose output a build writes to stdout meanwhile.

    Args:
        folder: Where ninja compiles.

    Raises:
        BuildError: One of them fails, or what they made cannot be loaded.
    """
    _refuse_modules()
    if folder is not None:
        _announce(folder)
    log: list[str] = []
    try:
        with _reading_stdout(log), loading():
            yield
    except (Exception, SystemExit) as error:
        if _is_of_a_tool(error):
            raise BuildError(what_to_mend(log)) from None
        raise


@contextmanager
def loading() -> Iterator[None]:
    """Name the symbol that a library lacks, and the file that should define it.

    Raises:
        BuildError: The library cannot be loaded.
    """
    try:
        yield
    except BuildError:
        raise
    except (ImportError, OSError) as error:
        # PyTorch says which library it cannot load, and the cause of that error says why.
        reason = str(error.__cause__ or error)
        raise BuildError(_undefined(reason) or reason) from None


def _refuse_modules() -> None:
    """Refuse sources of a Python module, unless the library is one."""
    if "PYBIND11_MODULE" in (_PACKAGE / "csrc" / "bindings.cpp").read_text():
        return
    for path in sorted(filter(Path.is_file, _PACKAGE.glob("csrc/**/*.*"))):
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if found := _MODULE.match(line):
                raise BuildError(
                    f"take line {number} out of {path.relative_to(_PACKAGE.parent)}, `{found[1].strip()}`: "
                    "it is of a Python module, and this library has none, so that it is for every Python. "
                    "`binding=pybind11` has one"
                )


def _announce(folder: Path) -> None:
    """Name the files that are compiled, since ninja does so when they are, seconds later."""
    if shutil.which("ninja") is None:
        return
    command = ["ninja", "-n", "-C", str(folder)]
    plan = subprocess.run(command, capture_output=True, text=True, check=False)
    steps = filter(_STEP.match, plan.stdout.splitlines())
    files = [found[0] for found in map(_SOURCE.search, steps) if found]
    if plan.returncode:  # nothing was compiled there yet
        files = ["all of csrc/"]
    if files:
        print(f"{_PACKAGE.name}: compiling {', '.join(files)}", file=sys.stderr, flush=True)


def author_lines(log: Iterable[str]) -> Iterator[str]:
    """Yield what an author needs of a build's log: a step by its file, and what the tools say."""
    log = iter(log)
    for line in log:
        line = _COLORS.sub("", line)  # of tools that were told to
        if step := _STEP.match(line):
            if source := _SOURCE.search(line):
                yield step[0] + source[0]
        elif line.startswith("FAILED: "):
            next(log, None)  # the command
        elif not _NOISE.match(line):
            yield line.rstrip().replace(f"{Path.cwd()}/", "")


def what_to_mend(log: list[str]) -> str:
    """Return the sentence that follows the lines of a build that failed."""
    for line in log:
        if undefined := _undefined(line):
            return undefined
        if found := _NO_LIBRARY.search(line):
            return (
                f"{_PACKAGE.name} cannot be linked: the linker finds no library `{found['name']}`; install it, or put "
                f"`-L` and its folder before it, at EDIT in {_FLAGS}"
            )
        if found := _TWICE.search(line):
            return (
                f"{_PACKAGE.name} cannot be linked: two files define `{_demangled(found['symbol'])}`; if it is in a "
                "header, write `inline` before it"
            )
    for line in log:
        found = _ERROR.match(line)
        if found and Path(found["file"]).resolve().is_relative_to(_PACKAGE):
            place = f"line {found['line']} of {found['file']}"
            return f"{_PACKAGE.name} does not compile: mend {place}, {found['why']}"
    return (
        f"{_PACKAGE.name} does not compile: mend what is said above, and if that is no line of "
        f"yours, see what `python -m {_PACKAGE.name}.doctor` says"
    )


def _undefined(text: str) -> str | None:
    """Return which symbol a linker misses, and the file that should define it, if this is about one."""
    found = _UNDEFINED.search(text)
    if found is None:
        return None
    symbol = _demangled(found["symbol"])
    lacks = f"the library lacks `{symbol}`"
    kernel = _KERNEL.search(symbol)
    # The longest name first: it may begin with the name of another operator.
    folders = [path for path in _PACKAGE.glob("csrc/*") if path.is_dir()]
    for folder in sorted(folders, key=lambda path: -len(path.name)):
        name, arguments = folder.name, folder / f"{folder.name}_args.h"
        if kernel and arguments.exists() and f"struct {kernel[1]} " in arguments.read_text():
            file = folder / (name + {"cpu": "_cpu.cpp", "gpu": "_cuda.cu"}[kernel[2]])
        elif re.search(rf"{_PACKAGE.name}\W*\d*{re.escape(name)}", symbol):
            file = folder / f"{name}.cpp"
        else:
            continue
        path = file.relative_to(_PACKAGE.parent)
        return f"{lacks}, which {path} should define with these arguments"
    nobody = f"{lacks}, which no file in csrc/ defines"
    if _OF_PYTORCH.search(symbol):
        return f"{nobody}: was it compiled for another PyTorch?"
    return f"{nobody}: if it is of a library of others, name that at EDIT in {_FLAGS}"


def _demangled(symbol: str) -> str:
    symbol, filt = symbol.strip(), shutil.which("c++filt")
    if filt and symbol.startswith("_Z"):
        return subprocess.check_output([filt, symbol], text=True).strip()
    return symbol


def _is_of_a_tool(error: BaseException | None) -> bool:
    """Whether an error is, or was made from, that a command ended with another status than 0."""
    while error and not isinstance(error, subprocess.CalledProcessError):
        error = error.__cause__ or error.__context__
    return error is not None


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
