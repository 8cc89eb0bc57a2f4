"""Lists what this package needs to compile and run, and this machine's faults with their fixes.

It runs without PyTorch and without the library. Shared code of the template: do not edit.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import runpy
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_PACKAGE = Path(os.path.abspath(__file__)).parents[1]
PACKAGE = _PACKAGE.name
_PROJECT = runpy.run_path(str(_PACKAGE / "_project.py"))
BUILD, BINDING = _PROJECT["BUILD"], _PROJECT["BINDING"]
COMPILED_WHEELS = _PROJECT["COMPILED_WHEELS"]
# The command that builds, and the variable that contains the number of compilers.
REBUILD = {
    "setuptools": "python setup.py build_ext --inplace",
    "cmake": "pip install --no-build-isolation -e .",
    "nvrtc": "pip install -e .",
}.get(BUILD, f"python -c 'import {PACKAGE}'")
JOBS = "CMAKE_BUILD_PARALLEL_LEVEL" if BUILD == "cmake" else "MAX_JOBS"
USAGE = f"""
python -m {PACKAGE}.doctor           list what is here; the exit status is 1 if something is wrong
python -m {PACKAGE}.doctor --nvcc    print the pip packages with nvcc for PyTorch's CUDA version
"""


class Finding(Exception):
    """A fault, and its fixes."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__(f"\n{'':12}-> ".join([problem, *remedies]))


def asked_for(variable: str) -> bool:
    """Whether an environment variable is 1. Refuse values other than 1 and 0, such as "true"."""
    given = os.environ.get(variable, "")
    if given not in ("", "0", "1"):
        problem = f"{variable} is {given!r}, not 1 or 0"
        raise Finding(problem, f"export {variable}=1", f"or unset {variable}")
    return given == "1"


def cpu_only() -> str:
    """Return the setting that skips the CUDA code, or an empty string.

    `USE_CUDA=0` is PyTorch's own name for it. `CPU_ONLY` wins if both are set.
    """
    if asked_for("CPU_ONLY"):
        return "CPU_ONLY=1"
    use_cuda = os.environ.get("USE_CUDA") != "0" or os.environ.get("CPU_ONLY") == "0"
    return "" if use_cuda else "USE_CUDA=0"


def wants_cuda(cuda: str | None) -> bool:
    """Whether to compile the CUDA code, for PyTorch's CUDA version. None is a PyTorch without CUDA.

    `FORCE_CUDA=1`, as in other extensions of PyTorch, refuses to leave the CUDA code out.
    """
    forced, setting = asked_for("FORCE_CUDA"), cpu_only()
    if forced and setting:
        problem = f"FORCE_CUDA=1, but {setting} leaves out the CUDA code"
        raise Finding(problem, f"unset {setting.partition('=')[0]}", "or unset FORCE_CUDA")
    if forced and cuda is None:
        problem = "FORCE_CUDA=1, but this PyTorch has no CUDA"
        raise Finding(problem, "install one that has: https://pytorch.org/get-started/locally")
    return not setting and cuda is not None


def debugging() -> bool:
    """Whether to build for a debugger and a profiler, which `DEBUG=1` asks for.

    PyTorch's own build and other programs use the variable, too. Therefore no value of it is
    refused.
    """
    return os.environ.get("DEBUG") == "1"


def debug_flags(compiler: str) -> list[str]:
    """Return arguments of `cxx` or `nvcc` for debugging. Kernels stay optimized."""
    if not debugging():
        return []
    return ["-O0", "-g", *(["-lineinfo"] if compiler == "nvcc" else [])]


def ran(*command: str, seconds: int = 60, folder: str = ".") -> tuple[int, str]:
    """Run a command; return its exit status and output, or -1 and the reason if it did not end."""
    try:
        run = subprocess.run(command, capture_output=True, timeout=seconds, cwd=folder, check=False)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return -1, str(error)
    return run.returncode, (run.stdout + run.stderr).decode(errors="replace")


def ending(text: str, line: int = 0) -> str:
    """Return one line of a program's output, the first by default, as the end of a sentence."""
    lines = text.strip().splitlines()
    return f": {lines[line]}" if lines else ""


def failure(command: str, status: int, text: str) -> str:
    """Return a sentence about how a command ended, from the results of `ran`."""
    if status == -1:
        return f"`{command}` does not run{ending(text)}"
    return f"`{command}` ended with status {status}{ending(text) or ' and printed nothing'}"


def pytorch_facts() -> dict[str, Any]:
    """Return the contents of torch/version.py, or nothing; PyTorch is not imported."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


def require_versions() -> str:
    """Return PyTorch's version. Refuse a PyTorch or a Python that the package cannot use."""
    if BINDING == "pybind11" and sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise Finding(
            f"{sys.executable} is free-threaded, and a pybind11 module turns on its GIL",
            "python3.12 -m venv .venv && . .venv/bin/activate",
            "or copier update --data binding=torch_library",
        )
    version = str(pytorch_facts().get("__version__", ""))
    if not version:
        raise Finding(f"{sys.executable} finds no PyTorch", "pip install torch")
    if tuple(map(int, version.split(".")[:2])) < (2, 10):
        problem = f"PyTorch {version} is too old: {PACKAGE} needs 2.10 and Python 3.10, or later"
        raise Finding(problem, "pip install --upgrade torch")
    return version


def pytorch() -> str:
    version, cuda = require_versions(), pytorch_facts().get("cuda")
    gpu = "torch.cuda.get_device_name() if torch.cuda.is_available() else 'none'"
    status, text = ran(sys.executable, "-c", f"import torch; print('GPU:', {gpu})")
    if status != 0:
        problem = f"PyTorch {version} is installed, but cannot be imported{ending(text, -1)}"
        raise Finding(problem, "pip install --force-reinstall torch")
    # PyTorch warns if it cannot use a GPU or its driver.
    warning = re.search(r"Warning: (.*\bCUDA\b.*)", text)
    if warning:
        remedy = "a newer driver, or another PyTorch, https://pytorch.org/get-started/locally"
        raise Finding(f"PyTorch {version} cannot use the GPU: {warning[1]}", remedy)
    gpu = "".join(re.findall("GPU: .+", text))
    return f"PyTorch {version}, CUDA: {cuda or 'none'}, {gpu}, {sys.executable}"


# ---- Compilers


def backend() -> str:
    # With --no-build-isolation, a build uses scikit-build-core and CMake from this environment.
    cmake = shutil.which("cmake") or importlib.util.find_spec("cmake")
    missing = [] if importlib.util.find_spec("scikit_build_core") else ["scikit-build-core"]
    missing += [] if cmake else ["cmake"]
    if missing:
        raise Finding(f"there is no {' and no '.join(missing)}", f"pip install {' '.join(missing)}")
    return "scikit-build-core and cmake are installed"


def compiler() -> str:
    if BUILD != "cmake":
        refuse_folder(str(_PACKAGE))
    name = os.environ.get("CXX") or "c++"
    path = shutil.which(name.split()[0] if BUILD == "cmake" else name)
    if path is None:
        problem = f"there is no C++ compiler {name}"
        how = (
            "" if BUILD == "cmake" else " (if it needs options, the path of a script that calls it)"
        )
        raise Finding(problem, "apt install g++", f"or export CXX=PATH_OF_A_COMPILER{how}")
    status, text = ran(path, "--version")
    if status != 0:
        raise Finding(failure(f"{path} --version", status, text), f"{path} --version")
    gcc = re.match(r".* (\d+)\.\d.*\n.*Free Software", text)
    if gcc and int(gcc[1]) < 11:
        raise Finding(
            f"{path} is g++ {gcc[1]}, and PyTorch needs 11 or later",
            "apt install g++-12 && export CC=gcc-12 CXX=g++-12 CUDAHOSTCXX=g++-12",
        )
    return f"{text.partition(chr(10))[0]}, {path}"


def ways_to_nvcc(cuda: str) -> list[str]:
    """Return fixes for a missing nvcc of a CUDA version. PyPI has nvcc from 13.0 on."""
    names = ["CUDA_HOME", "CUDA_PATH", *(["CUDACXX"] if BUILD == "cmake" else [])]
    given = [name for name in names if os.environ.get(name)]
    unset = f"unset {' '.join(given)} && " if given else ""
    way = f"{unset}python -m {PACKAGE}.doctor --nvcc | xargs -r pip install"
    if int(cuda.split(".")[0]) < 13:
        archive = "https://developer.nvidia.com/cuda-toolkit-archive"
        way = f"install the CUDA {cuda} toolkit, {archive}, and export CUDA_HOME=its folder"
    return [way, "or, for only the CPU code: export CPU_ONLY=1"]


def nvcc_of_pip() -> str:
    """Return the packages that pip must install to get nvcc for PyTorch's CUDA, one a line."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        raise SystemExit("There is no PyTorch with CUDA here, so no nvcc is needed.")
    if int(cuda.split(".")[0]) < 13:
        raise SystemExit(f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}")
    # All parts need the same version: otherwise pip combines nvcc with newer parts, which ptxas
    # refuses.
    parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
    return "\n".join(f"{part}=={cuda}.*" for part in parts)


def is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def homes_of_pip(cuda: str) -> list[Path]:
    """Return the folders in which pip may have installed a toolkit."""
    return [Path(folder, "nvidia", f"cu{cuda.split('.')[0]}").resolve() for folder in sys.path]


def nvccs(cuda: str) -> list[Path]:
    """Return the nvccs to try, in order: from pip, on PATH and in /usr/local/cuda.

    If CUDA_HOME or CUDA_PATH is set, return only its nvcc. pip's is first, because the nvcc on PATH
    is often for another CUDA.
    """
    if given := os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH"):
        return [Path(given, "bin", "nvcc")]
    of_pip = [home / "bin" / "nvcc" for home in homes_of_pip(cuda)]
    # A relative folder in PATH depends on the current folder, which other users may write to.
    of_path = [Path(folder, "nvcc") for folder in os.get_exec_path() if os.path.isabs(folder)]
    return [*filter(is_program, of_pip + of_path), Path("/usr/local/cuda/bin/nvcc")]


def is_in_toolkit(nvcc: Path) -> bool:
    home = nvcc.parents[1]  # conda has headers in targets/
    headers = [x for y in ("", "targets/*/") for x in home.glob(f"{y}include/cuda_runtime.h")]
    return nvcc == home / "bin" / "nvcc" and nvcc.is_file() and bool(headers)


def nvcc_of_toolkit(nvcc: Path, cuda: str) -> Path:
    """Return the nvcc in its toolkit. The given path may be a link or a script that calls it."""
    for path in (nvcc, nvcc.resolve()):
        if is_in_toolkit(path) or not nvcc.exists():
            return path
    _, text = ran(str(nvcc), "--dryrun", "-x", "cu", os.devnull)
    top = re.search(r"^#\$ TOP=(.+)$", text, re.MULTILINE)
    path = Path(top[1]).resolve() / "bin" / "nvcc" if top else nvcc
    if not is_in_toolkit(path):
        has = "which has bin/nvcc and include/cuda_runtime.h"
        problem = f"{path} is not in a CUDA toolkit, {has}{'' if top else ending(text, -1)}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return path


def check_release(nvcc: Path, cuda: str) -> Path:
    """Return this nvcc if it fits PyTorch's CUDA."""
    if not nvcc.exists():
        raise Finding(f"there is no nvcc for PyTorch's CUDA {cuda}: no {nvcc}", *ways_to_nvcc(cuda))
    status, text = ran(str(nvcc), "--version")
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release is None:
        problem = failure(f"{nvcc} --version", status, text)
        raise Finding(problem, f"{nvcc} --version", *ways_to_nvcc(cuda))
    if release[2] != cuda.split(".")[0]:
        problem = f"PyTorch has CUDA {cuda}, but {nvcc} is of CUDA {release[1]}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return nvcc


def find_nvcc(cuda: str) -> Path:
    """Return the nvcc to compile with: the first one that fits PyTorch's CUDA."""
    # CMake's own variable has a path or a name, and perhaps options.
    given = os.environ.get("CUDACXX", "").split() if BUILD == "cmake" else []
    if given:
        return check_release(Path(shutil.which(given[0]) or given[0]), cuda)
    findings = []
    for path in nvccs(cuda):
        try:
            return check_release(nvcc_of_toolkit(path, cuda), cuda)
        except Finding as finding:
            findings.append(finding)
    raise findings[0]


def missing_links(nvcc: Path, cuda: str) -> list[tuple[Path, str]]:
    """Return the links that linkers need and pip's toolkits lack, with their targets."""
    home = nvcc.parents[1]
    links = {"lib64": "lib", "lib/libcudart.so": f"libcudart.so.{cuda.split('.')[0]}"}
    missing = [(home / link, links[link]) for link in links if not os.path.lexists(home / link)]
    return missing if home.resolve() in homes_of_pip(cuda) else []


def no_link(link: Path, target: str, reason: str) -> Finding:
    problem = f"linkers look for {link}, which cannot be made: {reason}"
    return Finding(problem, f"as the owner of {link.parent}: ln -s {target} '{link}'")


def fitting_nvcc(cuda: str) -> Path:
    """Return the nvcc to compile with. Create the links in its toolkit that linkers need."""
    nvcc = find_nvcc(cuda)
    for link, target in missing_links(nvcc, cuda):
        try:
            link.symlink_to(target)
        except OSError as error:
            raise no_link(link, target, str(error.strerror)) from None
    return nvcc


def use_nvcc(cuda: str, architectures: str) -> None:
    """Tell PyTorch's builds which nvcc to use and, without a GPU, which architectures."""
    import torch
    from torch.utils import cpp_extension

    # PyTorch does not look in the folders into which pip installs nvcc.
    cpp_extension.CUDA_HOME = str(fitting_nvcc(cuda).parents[1])
    if not torch.cuda.is_available():
        # Without this variable, PyTorch asks the GPUs, and fails if it finds none.
        os.environ["TORCH_CUDA_ARCH_LIST"] = os.environ.get("TORCH_CUDA_ARCH_LIST") or architectures


def nvcc() -> str | None:
    cuda = pytorch_facts().get("cuda")
    wanted = wants_cuda(cuda)
    if cuda is None or not wanted:
        return f"not needed: {cpu_only()}" if cpu_only() else None
    path = find_nvcc(cuda)
    for link, target in missing_links(path, cuda):
        # the build creates the link, not the doctor
        if not os.access(link.parent, os.W_OK | os.X_OK):
            raise no_link(link, target, f"{link.parent} is not writable")
    return f"{''.join(re.findall('release .+', ran(str(path), '--version')[1]))}, {path}"


def ninja() -> str:
    """Return the path of ninja, and add its folder to PATH, where PyTorch looks for it."""
    # pip installs ninja beside Python. That folder is on PATH only in an activated environment.
    folders = [*os.get_exec_path(), os.path.dirname(sys.executable)]
    path = shutil.which("ninja", path=os.pathsep.join(folders))
    if path is None:
        raise Finding("there is no ninja on PATH", "pip install ninja")
    os.environ["PATH"] = os.pathsep.join(folders)
    return path


def refuse_folder(folder: str) -> None:
    if re.search('[$:"]', folder):
        raise Finding(
            f"{folder} contains a dollar sign, colon or quote; PyTorch cannot escape it for ninja",
            "rename that folder",
        )


# The memory of one compiler that reads PyTorch's headers.
GIB_OF_A_JOB = 1


def compilers() -> int:
    """Return the number of compilers that run at the same time."""
    given = os.environ.get(JOBS) or str(os.cpu_count() or 1)
    if not given.isdecimal() or int(given) == 0:
        problem = f"{JOBS} is {given!r}, not a positive number of compilers"
        raise Finding(problem, f"unset {JOBS}")
    return int(given)


def memory() -> str:
    jobs = compilers()
    free = float("inf")
    with suppress(OSError):  # Linux only
        kib = re.search(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text())
        free = int(kib[1]) / 2**20 if kib else free
    with suppress(OSError, ValueError):  # the limit of a container, if it has one
        limit, used, parts = (
            Path(f"/sys/fs/cgroup/memory.{x}").read_text() for x in ("max", "current", "stat")
        )
        cached = re.search(r"^inactive_file (\d+)", parts, re.MULTILINE)  # files that it can drop
        in_use = int(used) - (int(cached[1]) if cached else 0)
        free = min(free, (int(limit) - in_use) / 2**30)
    needed = jobs * GIB_OF_A_JOB
    if free < needed:
        problem = f"{jobs} compilers at a time may take {needed} GiB, and {free:.1f} are free"
        fitting = max(1, int(free / GIB_OF_A_JOB))
        raise Finding(problem, f"export {JOBS}={fitting}")
    known = "an unknown amount" if free == float("inf") else f"{free:.0f} GiB"
    return f"{known} free, for {jobs} compilers at a time"


# ---- The library


def record() -> Any:
    """Return the module that finds the library. Its `find_library` may import PyTorch."""
    return importlib.import_module(".record", __package__)


def library() -> str:
    reason = record().stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    return str(record().find_library())


def imports() -> str:
    """Import the package in a separate process, because a library for another PyTorch may crash."""
    command = [sys.executable, "-c", f"import {PACKAGE}"]
    status, text = ran(*command, seconds=3600)
    if not COMPILED_WHEELS:
        messages, _, _ = text.partition("Traceback (most recent call last)")
        print(messages, end="", file=sys.stderr)  # messages of compilers
    if status != 0:
        error = ending(text, -1) or f": it ends with status {status}"
        reason = error[2:].partition(" (`python -m")[0].rpartition("BuildError: ")[2]
        raise Finding(f"`import {PACKAGE}` fails: {reason}", place_in_ops(text) or REBUILD)
    # In this folder, Python always finds the package; in other folders, only if it is installed.
    found = (
        f"import sys; from importlib.util import find_spec; sys.exit(not find_spec('{PACKAGE}'))"
    )
    status, _ = ran(sys.executable, "-c", found, folder=os.sep)
    install = f"pip install {'--no-build-isolation ' if COMPILED_WHEELS else ''}-e ."
    return f"`import {PACKAGE}` works{f', but only in this folder: {install}' if status else ''}"


def place_in_ops(text: str) -> str | None:
    """Return the fix of an error in ops/: the last line there that a traceback names."""
    found = None
    for name, line in re.findall(r'^ *File "(.+)", line (\d+)', text, re.MULTILINE):
        path = Path(name)
        if path.is_relative_to(_PACKAGE):
            inside = path.is_relative_to(_PACKAGE / "ops")
            found = f"correct {path.relative_to(_PACKAGE.parent)}, line {line}" if inside else None
    return found


def architectures(library: Path) -> set[tuple[str, int]]:
    """Return a library's GPU code: machine code as ("sm", 90), PTX as ("compute", 90).

    The library contains blocks with a magic number, a version and a size. Each part of a block
    begins with its kind, sizes and architecture. NVIDIA does not document this format; `cuobjdump
    --list-elf --list-ptx` prints the same list.
    """
    data, found = library.read_bytes(), set()
    for block in re.finditer(rb"\x50\xed\x55\xba\x01\x00\x10\x00", data):
        at = block.end() + 8
        end = at + int.from_bytes(data[block.end() : at], "little")
        while at < end:
            kind, _, header, size, architecture = struct.unpack_from("<HHIQ12xI", data, at)
            found.add(("compute" if kind == 1 else "sm", architecture))
            at += header + size or len(data)
    return found


def runs_on(capability: int, kind: str, number: int) -> bool:
    """Whether a GPU can run code that was compiled for a compute capability.

    The capability must not be later than the GPU's. Machine code also needs the same major version.
    """
    return number <= capability and (kind == "compute" or number // 10 == capability // 10)


# Prints the compute capability of each GPU, such as sm_90 for 9.0.
CAPABILITIES = """
import torch
for index in range(torch.cuda.device_count()):
    print("sm_%d%d" % torch.cuda.get_device_capability(index))
"""


def rebuild_all(library: Path) -> str:
    """Return the command that compiles all files again."""
    if BUILD == "setuptools":
        return f"{REBUILD} --force"
    if BUILD == "cmake":
        return f"rm -r build; {REBUILD}"
    folder = library.parents[1] if BUILD == "inline" else library.parent
    return f"rm -r {shlex.quote(str(folder))}; {REBUILD}"


def rebuild_for(capability: int) -> str:
    """Return the command that compiles for a GPU."""
    if BUILD == "setuptools":
        return f"TORCH_CUDA_ARCH_LIST={capability / 10} {REBUILD} --force"
    if BUILD == "cmake":
        return f"{REBUILD} --config-settings=cmake.define.CMAKE_CUDA_ARCHITECTURES={capability}"
    return "unset TORCH_CUDA_ARCH_LIST CPU_ONLY USE_CUDA"


def code() -> str:
    """Return the GPUs that the library supports. Refuse a library that cannot run here."""
    path = record().find_library()
    if sys.platform == "linux" and b"libstdc++.so" not in path.read_bytes():
        raise Finding(
            f"{path} does not use libstdc++.so: it crashes if an error message has a number",
            "export CC=/usr/bin/gcc CXX=/usr/bin/g++ CUDAHOSTCXX=/usr/bin/g++",
            rebuild_all(path),
        )
    found = architectures(path)
    names = ", ".join(sorted(f"{kind}_{number}" for kind, number in found)) or "only the CPU"
    cuda = wants_cuda(pytorch_facts().get("cuda"))
    printed = ran(sys.executable, "-c", CAPABILITIES)[1] if cuda else ""
    for capability in map(int, re.findall(r"^sm_(\d+)$", printed, re.MULTILINE)):
        if not any(runs_on(capability, *code) for code in found):
            problem = f"{path} is compiled for {names}, and a GPU here is sm_{capability}"
            raise Finding(problem, rebuild_for(capability))
    hint = "; if that is intended, export CPU_ONLY=1" if cuda and not found else ""
    return f"compiled for {names}{hint}"


COMPILE = """
from {0}._kit.bindings import OPS
from {0}._library import compile_cubin
for op in OPS:
    compile_cubin(op, "sm_90")
"""


def nvrtc() -> str:
    """Compile the kernels, which needs no GPU."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        return "not needed: PyTorch has no CUDA, and operators run in plain PyTorch"
    command = [sys.executable, "-c", COMPILE.format(PACKAGE)]
    status, text = ran(*command, seconds=3600)
    if status != 0:
        lines = text.strip().splitlines()
        errors = [line for line in lines if "error:" in line]  # NVRTC's mark of an error
        reasons = [*errors, *lines[-1:], f"it ended with status {status}"]
        remedy = "fix that line" if errors else "pip install 'cuda-core>=1.2,<2'"
        raise Finding(f"the kernels do not compile: {reasons[0]}", remedy)
    return f"NVRTC of CUDA {cuda} compiles the kernels"


# Without a repository, the package was installed from a wheel, which needs no compiler.
IN_WHEEL = COMPILED_WHEELS and not (_PACKAGE.parent / "pyproject.toml").exists()
FIRST: list[Callable[[], str | None]] = [pytorch]
if BUILD != "nvrtc" and not IN_WHEEL:
    FIRST += [*([backend] if BUILD == "cmake" else []), compiler, nvcc, ninja, memory]
LAST: list[Callable[[], str | None]] = [library, code, imports]
if not COMPILED_WHEELS:  # an import compiles
    LAST = [imports, nvrtc] if BUILD == "nvrtc" else [imports, library, code]
CHECKS = FIRST + LAST


def report() -> int:
    """Print the parts and faults that are found, and return the exit status."""
    wrong = False
    for check in CHECKS:
        if check in LAST and wrong and not COMPILED_WHEELS:
            continue  # an import may compile, and would fail for the same reason
        try:
            line = check()
        except Exception as error:  # noqa: BLE001, because programs may print anything
            if check in LAST and wrong:
                continue  # it fails for the same reason as an earlier check
            wrong, line = True, f"WRONG: {error if isinstance(error, Finding) else repr(error)}"
        if line:
            print(f"{check.__name__:12}{line}", flush=True)
    return int(wrong)


def main(argv: list[str]) -> int | str:
    """Return the exit status, or the usage if the arguments are wrong."""
    if argv == ["--nvcc"] and BUILD != "nvrtc":
        print(nvcc_of_pip())
        return 0
    if argv in (["--help"], ["-h"]):
        print(USAGE.strip())
        return 0
    if sys.platform != "win32":  # end quietly if nobody reads on, as in `| head`
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return USAGE if argv else report()
