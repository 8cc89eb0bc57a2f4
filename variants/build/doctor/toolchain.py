{% if cmake %}
{% include pathjoin('variants', 'build', 'doctor', 'backend.py') %}


{% endif %}
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


{% if cmake %}
def refuse_launcher(variable: str) -> None:
    """Refuse a program that starts a compiler, such as ccache, if there is none of its name."""
    given = os.environ.get(variable, "")
    program, *_ = given.split(";")
    if program and shutil.which(program) is None:
        words = ";".join(given.split())
        raise Finding(
            f"{variable} is {given!r}, and there is no program {program!r}",
            *([f"export {variable}='{words}', as CMake separates words"] if words != given else []),
            f"unset {variable}",
        )


{% endif %}
def compiler() -> str:
{% if cmake %}
    refuse_launcher("CMAKE_CXX_COMPILER_LAUNCHER")
{% else %}
    refuse_words("CXX")
{% endif %}
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
    given = os.environ.get("{{ jobs }}") or str(os.cpu_count() or 1)
    if not given.isdecimal() or int(given) == 0:
        problem = f"{{ jobs }} is {given!r}, and no number of compilers"
        raise Finding(problem, "unset {{ jobs }}")
    return int(given)


{% if not cmake %}
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


{% endif %}
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
        raise Finding(problem, f"export {{ jobs }}={fitting}")
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
    """Return where the build takes CUDA from, by the rule of torch.utils.cpp_extension{{ " and CMakeLists.txt"
      if cmake }}."""
    given = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    on_path = shutil.which("nvcc")
    return Path(given or (on_path and Path(on_path).parents[1]) or "/usr/local/cuda")


def own_home(nvcc: Path) -> Path | None:
    """Return where an nvcc has its headers, which is elsewhere if it is a script that starts another."""
    top = re.search(r"#\$ TOP=(.+)", output(str(nvcc), "--dryrun", "-x", "cu", os.devnull))
    return Path(os.path.normpath(top[1])) if top else None


{% if cmake %}
def home_with_headers(nvcc: Path, cuda: str) -> Path:
    """Return where an nvcc has its headers, which CMake asks it for."""
    home = own_home(nvcc) or cuda_home()
    header = home / "include" / "cuda_runtime.h"
    if not header.exists():
        raise Finding(f"{nvcc} is here, but not the headers: {header}", *ways_to_nvcc(cuda))
    return home
{% else %}
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
{% endif %}


def fitting_nvcc(cuda: str) -> tuple[Path, str]:
    """Return the nvcc that the build takes, and its release, which fits PyTorch's CUDA."""
{% for variable in ['CUDACXX', 'CUDAHOSTCXX'] if cmake %}
    refuse_words("{{ variable }}")
{% endfor %}
{% if cmake %}
    refuse_launcher("CMAKE_CUDA_COMPILER_LAUNCHER")
{% else %}
    refuse_words("CC")  # nvcc's host compiler
{% endif %}
    path = {{ nvcc | default('cuda_home() / "bin" / "nvcc"') }}
    if not path.exists():
        raise Finding(f"PyTorch has CUDA {cuda}, but there is no {path}", *ways_to_nvcc(cuda))
    command = {{ '[str(path)]' if cmake else 'command_of("PYTORCH_NVCC", str(path))' }}
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

{% if setuptools %}
    asked_for("{{ project | upper }}_REBUILD")  # as an import looks at it
{% endif %}
    reason = stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    path = find_library()
    if sys.platform == "linux" and b"libstdc++.so" not in path.read_bytes():
        raise Finding(
            f"{path} has a C++ library of its own, which disagrees with PyTorch's in messages",
            "export CC=/usr/bin/gcc CXX=/usr/bin/g++ CUDAHOSTCXX=/usr/bin/g++",
            {{ from_nothing }},
        )
    found = architectures(path)
    names = ", ".join(sorted(f"{kind}_{number}" for kind, number in found)) or "the CPU alone"
    for name, _, capability in [] if asked_for("CPU_ONLY") else gpus():
        if capability is not None and not any(runs_on(capability, *code) for code in found):
            problem = f"{path} is compiled for {names}, and {name} is sm_{capability}"
            raise Finding(problem, {{ for_gpu }})
    unasked = not found and pytorch_facts().get("cuda") and not asked_for("CPU_ONLY")
    hint = "; if that is meant, export CPU_ONLY=1" if unasked else ""
    return f"{path}, compiled for {names}{hint}"
