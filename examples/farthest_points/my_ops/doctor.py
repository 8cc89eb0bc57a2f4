"""Says what my_ops needs to be compiled and to run, what of it is wrong here, and what mends it.

python -m my_ops.doctor                what is here; the exit status is 1 if something is wrong
python -m my_ops.doctor --nvcc         what pip has to install for the nvcc of PyTorch's CUDA
python -m my_ops.doctor --cuda-home    the CUDA_HOME of that nvcc

It runs without PyTorch, without the library, and with a Python that is too old for the rest.
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parent.name


class Finding(Exception):
    """What is wrong, and what mends it."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__("\n".join([problem, *(f"{'':12}-> {remedy}" for remedy in remedies)]))


def asked_for(variable: str) -> bool:
    """Whether an environment variable is 1. What is neither 1 nor 0, such as "true", is refused."""
    given = os.environ.get(variable, "")
    if given not in ("", "0", "1"):
        problem = f"{variable} is {given!r}, and neither 1 nor 0"
        raise Finding(problem, f"export {variable}=1", f"or unset {variable}")
    return given == "1"


# How long a program may take to answer, and how long one that may compile.
SECONDS = 60
SECONDS_TO_COMPILE = 3600


def ran(*command: str, seconds: int | None = None, folder: str = ".") -> tuple[int | None, str]:
    """Return the exit status of a command and what it prints; None and why, if it did not run to its end."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds or SECONDS,
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return None, f"no answer in {error.timeout} seconds"
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return None, str(error)
    return done.returncode, done.stdout.decode(errors="replace")


def says(text: str) -> str:
    """Return what a program says first, to end a sentence with."""
    words = next(iter(text.strip().splitlines()), "")
    return f": {words}" if words else ""


def output(*command: str) -> str:
    """Return what a command prints, or nothing if it fails."""
    status, text = ran(*command)
    return text if status == 0 else ""


def pytorch_facts() -> dict:
    """Return what torch/version.py says, also where PyTorch cannot be imported; nothing without it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    try:
        facts = runpy.run_path(str(Path(spec.origin).with_name("version.py")))
    except Exception as error:
        problem = f"{spec.origin} has no version.py that can be read: {error}"
        raise Finding(problem, "pip install --force-reinstall torch") from error
    return {"__version__": str(facts.get("__version__")), "cuda": facts.get("cuda")}


def number(text: str) -> float | None:
    """Return the number that a text starts with, if it does: programs and variables may say anything."""
    found = re.match(r"\d+(\.\d+)?", text)
    return float(found[0]) if found else None


def python() -> str:
    numbers = tuple(sys.version_info[:3])
    version = ".".join(map(str, numbers))
    if numbers < (3, 10):
        raise Finding(
            f"Python {version} is too old: {PACKAGE} needs 3.10 or later ({sys.executable})",
            "python3.12 -m venv .venv && . .venv/bin/activate",
        )
    free_threaded = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"Python {version}{free_threaded}, {sys.executable}"


def pytorch() -> str:
    facts = pytorch_facts()
    if not facts:
        raise Finding(f"{sys.executable} finds no PyTorch", "pip install torch")
    version = facts["__version__"]
    release = re.match(r"(\d+)\.(\d+)", version)
    if release and tuple(map(int, release.groups())) < (2, 10):
        remedy = "pip install --upgrade torch"
        raise Finding(f"PyTorch {version} is too old: {PACKAGE} needs 2.10 or later", remedy)
    _, text = ran(sys.executable, "-c", "import torch; print('imported')")
    if not text.endswith("imported\n"):
        last = text.strip().rpartition("\n")[2]
        raise Finding(
            f"PyTorch {version} is installed, but cannot be imported{says(last)}",
            "pip install --force-reinstall torch",
        )
    return f"PyTorch {version}, {'CUDA ' + facts['cuda'] if facts['cuda'] else 'without CUDA'}"


# Drivers from these on run what a CUDA of this major version compiled, on Linux:
# https://docs.nvidia.com/deploy/cuda-compatibility/
OLDEST_DRIVER = {"12": 525, "13": 580}


def gpus() -> list[tuple[str, str, int | None]]:
    """Return name, driver and compute capability of the GPUs: 90 for 9.0, None where nvidia-smi has none."""
    query = "--query-gpu=name,driver_version,compute_cap"
    rows = output("nvidia-smi", query, "--format=csv,noheader").splitlines()
    found = []
    for name, driver, cap in [row.split(", ") for row in rows if row.count(", ") == 2]:
        capability = number(cap)
        found.append((name, driver, None if capability is None else round(10 * capability)))
    return found


def no_gpu() -> str:
    """Return why there is no GPU, in words of nvidia-smi if it is here."""
    status, text = ran("nvidia-smi", "-L")
    # It is not installed, finds no device, or no driver: as on machines without a GPU.
    if shutil.which("nvidia-smi") is None or status in (0, 6, 9):
        return f"no GPU: operators run on the CPU{f' (nvidia-smi{says(text)})' if status else ''}"
    remedies = ["reboot, if the driver was updated"] if "mismatch" in text else ["nvidia-smi"]
    raise Finding(
        f"nvidia-smi fails{'' if status is None else f' ({status})'}{says(text)}",
        *remedies,
    )


def gpu() -> str:
    found = gpus()
    cuda = pytorch_facts().get("cuda")
    if not found:
        return no_gpu()
    if cuda is None:
        raise Finding(
            f"there is an {found[0][0]}, but no PyTorch with CUDA",
            "pip install torch, by the command of https://pytorch.org/get-started/locally",
        )
    lines = []
    for name, driver, capability in found:
        oldest = OLDEST_DRIVER.get(cuda.split(".")[0], 0)
        release = number(driver)
        if release is not None and release < oldest:
            raise Finding(
                f"driver {driver} of {name} is too old: CUDA {cuda} needs {oldest} or later",
                "install a newer one, https://www.nvidia.com/drivers",
                "or a PyTorch with an older CUDA, https://pytorch.org/get-started/locally",
            )
        known = "compute capability unknown" if capability is None else capability / 10
        lines.append(f"{name} ({known}), driver {driver}")
    return "; ".join(lines)


# ---- What it is compiled with


def command_of(variable: str, default: str) -> list[str]:
    """Return the words of a compiler's command in an environment variable."""
    given = os.environ.get(variable) or default
    if shutil.which(given):
        return [given]  # a path may have spaces
    try:
        words = shlex.split(given)
    except ValueError as error:
        problem = f"{variable} is {given!r}, and no command: {error}"
        raise Finding(problem, f"unset {variable}") from error
    return words or [default]


def refuse_words(variable: str) -> None:
    """Refuse a command of several words, as "ccache g++", that is taken for the name of a program."""
    words = command_of(variable, "c++")
    if len(words) > 1:
        raise Finding(
            f"{variable} is {os.environ[variable]!r}, which is taken for the name of one program",
            f'write a script with the line: exec {shlex.join(words)} "$@"',
            f"export {variable}=PATH_OF_THE_SCRIPT",
        )


def compiler() -> str:
    refuse_words("CXX")
    command = command_of("CXX", "c++")
    if shutil.which(command[0]) is None:
        problem = f"there is no C++ compiler {command[0]}"
        raise Finding(problem, "apt install g++", "or export CXX=PATH_OF_A_COMPILER")
    status, macros = ran(*command, "-dM", "-E", "-x", "c++", os.devnull)
    gcc = re.search(r"__GNUC__ (\d+)", macros)
    if gcc and "__clang__" not in macros and int(gcc[1]) < 11:
        raise Finding(
            f"{shutil.which(command[0])} is g++ {gcc[1]}, and PyTorch needs 11 or later",
            "apt install g++-12 && export CC=gcc-12 CXX=g++-12 CUDAHOSTCXX=g++-12",
        )
    if status != 0 or not macros:
        problem = f"{command[0]} does not run{says(macros)}"
        raise Finding(problem, f"{shlex.join(command)} --version")
    version = next(iter(output(*command, "--version").splitlines()), command[0])
    return f"{version}, {shutil.which(command[0])}"


def ninja() -> str:
    status, text = ran("ninja", "--version")
    if shutil.which("ninja") is None:
        raise Finding("there is no ninja on PATH", "pip install ninja")
    if status != 0:
        raise Finding(f"ninja does not run{says(text)}", "pip install --force-reinstall ninja")
    return f"ninja {text.strip()}"


# What a compiler process takes that reads PyTorch's headers.
GIB_OF_A_JOB = 1


def compilers() -> int:
    """Return how many compilers run at a time."""
    given = os.environ.get("MAX_JOBS") or str(os.cpu_count() or 1)
    if not given.isdecimal() or int(given) == 0:
        problem = f"MAX_JOBS is {given!r}, and no number of compilers"
        raise Finding(problem, "unset MAX_JOBS")
    return int(given)


def require_compiler(*paths: Path) -> None:
    """Refuse a C++ compiler that is missing or too old, and paths that PyTorch cannot tell ninja."""
    for path in paths:
        if re.search('[$:"]', str(path)):
            raise Finding(
                f"{path} has a dollar sign, colon or quote in it, which PyTorch cannot tell ninja; "
                "rename that folder"
            )
    compiler()
    compilers()


def memory() -> str:
    jobs = compilers()
    free = float("inf")
    with suppress(OSError):  # Linux has it
        kib = re.search(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text())
        free = int(kib[1]) / 2**20 if kib else free
    with suppress(OSError, ValueError):  # a container may have less
        limit, used = (Path(f"/sys/fs/cgroup/memory.{x}").read_text() for x in ("max", "current"))
        free = min(free, (int(limit) - int(used)) / 2**30)
    needed = jobs * GIB_OF_A_JOB
    if free < needed:
        problem = f"{jobs} compilers at a time may take {needed} GiB, and {free:.1f} are free"
        fitting = max(1, int(free / GIB_OF_A_JOB))
        raise Finding(problem, f"export MAX_JOBS={fitting}")
    known = "unknown how much is" if free == float("inf") else f"{free:.0f} GiB"
    return f"{known} free, for {jobs} compilers at a time"


# ---- nvcc


def nvcc_packages(cuda: str) -> str:
    """Return what pip installs the nvcc of a CUDA version from: PyPI has it from 13.0 on."""
    # All of one version: pip would combine nvcc with newer parts of it, which ptxas refuses.
    parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
    return "\n".join(f"{part}=={cuda}.*" for part in parts)


def cuda_of_pip() -> str:
    """Return the CUDA of PyTorch, of which pip has an nvcc."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        raise Finding("There is no PyTorch with CUDA here, so no nvcc is needed.")
    if int(cuda.split(".")[0]) < 13:
        raise Finding(f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}")
    return cuda


def pip_cuda_home(cuda: str) -> Path:
    """Return the CUDA_HOME that these packages make, with the names that linkers look for."""
    spec = importlib.util.find_spec("nvidia")
    folders = spec.submodule_search_locations if spec else []
    home = next((path.parents[1] for x in folders for path in Path(x).glob("cu*/bin/nvcc")), None)
    if home is None:
        raise Finding(f"pip installed no nvcc: {ways_to_nvcc(cuda)[0]}")
    libraries = sorted(path.name for path in home.glob("lib/libcudart.so.*"))
    for link, target in [("lib64", "lib"), *(("lib/libcudart.so", x) for x in libraries[-1:])]:
        if not os.path.lexists(home / link):
            (home / link).symlink_to(target)
    return home


def ways_to_nvcc(cuda: str) -> list[str]:
    if int(cuda.split(".")[0]) < 13:
        archive = "https://developer.nvidia.com/cuda-toolkit-archive"
        ways = [f"install the CUDA {cuda} toolkit, {archive}, and export CUDA_HOME=its folder"]
    else:
        ways = [
            f"python -m {PACKAGE}.doctor --nvcc | xargs -r pip install",
            f"export CUDA_HOME=$(python -m {PACKAGE}.doctor --cuda-home)",
        ]
    return [*ways, "or, for the CPU code alone: export CPU_ONLY=1"]


def cuda_home() -> Path:
    """Return where the build takes CUDA from, by the rule of torch.utils.cpp_extension."""
    given = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    on_path = shutil.which("nvcc")
    return Path(given or (on_path and Path(on_path).parents[1]) or "/usr/local/cuda")


def own_home(nvcc: Path) -> Path | None:
    """Return where an nvcc has its headers, which is elsewhere if it is a script that starts another."""
    top = re.search(r"#\$ TOP=(.+)", output(str(nvcc), "--dryrun", "-x", "cu", os.devnull))
    return Path(os.path.normpath(top[1])) if top else None


def home_with_headers(nvcc: Path, cuda: str) -> Path:
    """Return the CUDA_HOME, where PyTorch looks for headers, wherever an nvcc has its own."""
    home, header = cuda_home(), Path("include", "cuda_runtime.h")
    if not (home / header).exists():
        own = own_home(nvcc)
        with_headers = own and (own / header).exists()
        raise Finding(
            f"{nvcc} is here, but not the headers: {home / header}",
            *([f"export CUDA_HOME={own}"] if with_headers else ways_to_nvcc(cuda)),
        )
    return home


def fitting_nvcc(cuda: str) -> tuple[Path, str]:
    """Return the nvcc that the build takes, and its release, which fits PyTorch's CUDA."""
    refuse_words("CC")  # nvcc's host compiler
    path = cuda_home() / "bin" / "nvcc"
    if not path.exists():
        raise Finding(f"PyTorch has CUDA {cuda}, but there is no {path}", *ways_to_nvcc(cuda))
    command = command_of("PYTORCH_NVCC", str(path))
    _, text = ran(*command, "--version")
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release is None:
        problem = f"{shlex.join(command)} does not run{says(text)}"
        raise Finding(problem, f"{shlex.join(command)} --version", *ways_to_nvcc(cuda))
    if release[2] != cuda.split(".")[0]:
        problem = f"PyTorch has CUDA {cuda}, but {shlex.join(command)} is of CUDA {release[1]}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return path, release[1]


def nvcc() -> str | None:
    cpu_only = asked_for("CPU_ONLY")
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        return None
    if cpu_only:
        return "not needed: CPU_ONLY=1"
    path, release = fitting_nvcc(cuda)
    home = home_with_headers(path, cuda)
    if not any((home / lib / "libcudart.so").exists() for lib in ("lib64", "lib")):
        problem = f"{home} has no lib64/libcudart.so to link with"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return f"nvcc {release}, {path}"


# ---- The library


def architectures(library: Path) -> set[tuple[str, int]]:
    """Return what a library holds for GPUs: machine code as ("sm", 90), PTX as ("compute", 90).

    It is in blocks with a magic number, a version and a size, whose parts begin with their kind, sizes
    and architecture. NVIDIA does not document that; `cuobjdump --list-elf --list-ptx` shows the same.
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
    """Whether a GPU runs code: PTX of an older one, and machine code of one with its major version."""
    return number <= capability and (kind == "compute" or number // 10 == capability // 10)


def library() -> str:
    from ._build import find_library, stale

    asked_for("MY_OPS_REBUILD")  # as an import looks at it
    reason = stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    path = find_library()
    if sys.platform == "linux" and b"libstdc++.so" not in path.read_bytes():
        raise Finding(
            f"{path} has a C++ library of its own, which disagrees with PyTorch's in messages",
            "export CC=/usr/bin/gcc CXX=/usr/bin/g++ CUDAHOSTCXX=/usr/bin/g++",
            f"{REBUILD} --force",
        )
    found = architectures(path)
    names = ", ".join(sorted(f"{kind}_{number}" for kind, number in found)) or "the CPU alone"
    for name, _, capability in [] if asked_for("CPU_ONLY") else gpus():
        if capability is not None and not any(runs_on(capability, *code) for code in found):
            problem = f"{path} is compiled for {names}, and {name} is sm_{capability}"
            raise Finding(problem, f"TORCH_CUDA_ARCH_LIST={capability / 10} {REBUILD} --force")
    unasked = not found and pytorch_facts().get("cuda") and not asked_for("CPU_ONLY")
    hint = "; if that is meant, export CPU_ONLY=1" if unasked else ""
    return f"{path}, compiled for {names}{hint}"


def imports() -> str:
    """Import the package in a process of its own, since what does not fit PyTorch may end it."""
    command = [sys.executable, "-c", f"import {PACKAGE}"]
    status, text = ran(*command, seconds=SECONDS_TO_COMPILE)
    if status is not None:
        said, _, _ = text.partition("Traceback (most recent call last)")
        print(said, end="", file=sys.stderr)  # by compilers, if the import compiles
    if status != 0:
        error = text.strip().splitlines()[-1:] or [f"it ends with status {status}"]
        reason = error[0].partition(" (`python -m")[0].rpartition("BuildError: ")[2]
        raise Finding(f"`import {PACKAGE}` fails: {reason}", REBUILD)
    # In this folder Python finds the package in any case, elsewhere if it is installed.
    found = f"from importlib.util import find_spec; assert find_spec('{PACKAGE}')"
    status, _ = ran(sys.executable, "-c", found, folder=os.sep)
    install = "pip install --no-build-isolation -e ."
    return f"`import {PACKAGE}` works{f', in this folder alone: {install}' if status else ''}"


REBUILD = "python setup.py build_ext --inplace"
# Where there is no repository, the library came in a wheel, and no compiler is needed.
IN_REPOSITORY = Path(__file__).parents[1].joinpath("pyproject.toml").exists()
FOR_COMPILING = [compiler, ninja, nvcc, memory] if IN_REPOSITORY else []
CHECKS = [python, pytorch, *FOR_COMPILING, gpu, library, imports]
LAST = [library, imports]


def report() -> int:
    """Print what is here and what is wrong, and return the exit status."""
    wrong = False
    for check in CHECKS:
        try:
            line, fault = check(), False
        except Finding as finding:
            line, fault = f"WRONG: {finding}", True
        except Exception as error:  # noqa: BLE001, as programs and files may say anything
            line, fault = f"WRONG: it could not be looked at: {error!r}", True
        if check in LAST and fault and wrong:
            continue  # it only says the same in other words
        wrong = wrong or fault
        if line:
            print(f"{check.__name__:12}{line}", flush=True)
    return int(wrong)


def main(arguments: list[str]) -> str | int:
    """Return the exit status, or why there is nothing to print."""
    if not arguments:
        return report()
    if arguments not in (["--nvcc"], ["--cuda-home"]):
        return __doc__
    try:
        cuda = cuda_of_pip()
        print(nvcc_packages(cuda) if arguments == ["--nvcc"] else pip_cuda_home(cuda))
    except Finding as finding:
        return str(finding)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
