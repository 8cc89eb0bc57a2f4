{% if cmake %}
{% include pathjoin('variants', 'build', 'doctor', 'backend.py') %}


{% endif %}
def compiler() -> str:
{% if not cmake %}
    refuse_folder(os.path.abspath(os.path.dirname(__file__)))
{% endif %}
    name = os.environ.get("CXX") or "c++"
    path = shutil.which({{ 'name.split()[0]' if cmake else 'name' }})
    if path is None:
        problem = f"there is no C++ compiler {name}"
{% if cmake %}
        raise Finding(problem, "apt install g++", "or export CXX=PATH_OF_A_COMPILER")
{% else %}
        way = "or export CXX=PATH_OF_A_COMPILER, one word: a script, if there are options"
        raise Finding(problem, "apt install g++", way)
{% endif %}
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
    """Return commands that install an nvcc of a CUDA version: PyPI has it from 13.0 on."""
    given = [x for x in ("CUDA_HOME", "CUDA_PATH"{{ ', "CUDACXX"' if cmake }}) if os.environ.get(x)]
    unset = f"unset {' '.join(given)} && " if given else ""
    way = f"{unset}python -m {PACKAGE}.doctor --nvcc | xargs -r pip install"
    if int(cuda.split(".")[0]) < 13:
        archive = "https://developer.nvidia.com/cuda-toolkit-archive"
        way = f"install the CUDA {cuda} toolkit, {archive}, and export CUDA_HOME=its folder"
    return [way, "or, for the CPU code alone: export CPU_ONLY=1"]


def nvcc_of_pip() -> str:
    """Return what pip installs an nvcc of PyTorch's CUDA from."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        raise SystemExit("There is no PyTorch with CUDA here, so no nvcc is needed.")
    if int(cuda.split(".")[0]) < 13:
        raise SystemExit(f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}")
    # All of one version: pip would combine nvcc with newer parts of it, which ptxas refuses.
    parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
    return "\n".join(f"{part}=={cuda}.*" for part in parts)


def is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def homes_of_pip(cuda: str) -> list[Path]:
    """Return the folders in which pip may have installed a toolkit."""
    return [Path(folder, "nvidia", f"cu{cuda.split('.')[0]}").resolve() for folder in sys.path]


def nvccs(cuda: str) -> list[Path]:
    """Return each nvcc that may fit. PATH's, often of another CUDA, comes after pip's."""
    if given := os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH"):
        return [Path(given, "bin", "nvcc")]
    of_pip = [home / "bin" / "nvcc" for home in homes_of_pip(cuda)]
    # What a relative folder of PATH contains depends on the current folder, which others may write to.
    of_path = [Path(folder, "nvcc") for folder in os.get_exec_path() if os.path.isabs(folder)]
    return [*filter(is_program, of_pip + of_path), Path("/usr/local/cuda/bin/nvcc")]


def is_in_toolkit(nvcc: Path) -> bool:
    home = nvcc.parents[1]  # conda has headers in targets/
    headers = [x for y in ("", "targets/*/") for x in home.glob(f"{y}include/cuda_runtime.h")]
    return nvcc == home / "bin" / "nvcc" and nvcc.is_file() and bool(headers)


def nvcc_of_toolkit(nvcc: Path, cuda: str) -> Path:
    """Return the nvcc in a CUDA toolkit that a path refers to: it may be a link, or a script that calls nvcc."""
    for path in (nvcc, nvcc.resolve()):
        if is_in_toolkit(path) or not nvcc.exists():
            return path
    _, text = ran(str(nvcc), "--dryrun", "-x", "cu", os.devnull)
    top = re.search(r"^#\$ TOP=(.+)$", text, re.MULTILINE)
    path = Path(top[1]).resolve() / "bin" / "nvcc" if top else nvcc
    if not is_in_toolkit(path):
        has = "which has bin/nvcc and include/cuda_runtime.h"
        problem = f"{path} is not in a CUDA toolkit, {has}{'' if top else says(text, -1)}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return path


def check_release(nvcc: Path, cuda: str) -> Path:
    """Return an nvcc, if it fits PyTorch's CUDA."""
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
{% if cmake %}
    # CMake's own variable has a path or a name, and perhaps options.
    if given := os.environ.get("CUDACXX", "").split():
        return check_release(Path(shutil.which(given[0]) or given[0]), cuda)
{% endif %}
    findings = []
    for path in nvccs(cuda):
        try:
            return check_release(nvcc_of_toolkit(path, cuda), cuda)
        except Finding as finding:
            findings.append(finding)
    raise findings[0]


def missing_links(nvcc: Path, cuda: str) -> list[tuple[Path, str]]:
    """Return the names that linkers look for in an nvcc's toolkit, and where they lead: pip's packages lack them."""
    home = nvcc.parents[1]
    links = {"lib64": "lib", "lib/libcudart.so": f"libcudart.so.{cuda.split('.')[0]}"}
    missing = [(home / link, links[link]) for link in links if not os.path.lexists(home / link)]
    return missing if home.resolve() in homes_of_pip(cuda) else []


def no_link(link: Path, target: str, reason: str) -> Finding:
    problem = f"linkers look for {link}, which cannot be made: {reason}"
    return Finding(problem, f"as its owner: ln -s {target} '{link}'")


def fitting_nvcc(cuda: str) -> Path:
    """Return the nvcc to compile with, in a toolkit that has the names that linkers look for."""
    nvcc = find_nvcc(cuda)
    for link, target in missing_links(nvcc, cuda):
        try:
            link.symlink_to(target)
        except OSError as error:
            raise no_link(link, target, str(error.strerror)) from None
    return nvcc


def nvcc() -> str | None:
    if asked_for("CPU_ONLY"):
        return "not needed: CPU_ONLY=1"
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        return None
    path = find_nvcc(cuda)
    for link, target in missing_links(path, cuda):
        if not os.access(link.parent, os.W_OK | os.X_OK):  # the build makes it, and not the doctor
            raise no_link(link, target, f"{link.parent} is no folder that you may write to")
    return f"{''.join(re.findall('release .+', ran(str(path), '--version')[1]))}, {path}"


def library() -> str:
    from .{{ '_library' if compiled_wheels else '_build' }} import find_library, stale

    reason = stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    return str(find_library())
