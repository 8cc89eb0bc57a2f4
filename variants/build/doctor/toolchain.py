{% if cmake and full %}
{% include pathjoin('variants', 'build', 'doctor', 'backend.py') %}


{% endif %}
{% if full or not cmake %}
def compiler() -> str:
{% if full and not cmake %}
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
{% if full %}
    status, text = ran(path, "--version")
    if status != 0:
        raise Finding(f"{name} does not run{says(text)}", f"{path} --version")
    gcc = re.match(r".* (\d+)\.\d.*\n.*Free Software", text)
    if gcc and int(gcc[1]) < 11:
        raise Finding(
            f"{path} is g++ {gcc[1]}, and PyTorch needs 11 or later",
            "apt install g++-12 && export CC=gcc-12 CXX=g++-12 CUDAHOSTCXX=g++-12",
        )
    return f"{text.partition(chr(10))[0]}, {path}"
{% else %}
    return path
{% endif %}


{% endif %}
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


def toolkit(cuda: str) -> Path:
    """Return the CUDA toolkit to compile with. PATH's, often of another CUDA, comes after pip's."""
    given = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    major = cuda.split(".")[0]
    of_pip = [Path(folder, "nvidia", f"cu{major}").resolve() for folder in sys.path]
    others = [*(Path(folder).parent for folder in os.get_exec_path()), Path("/usr/local/cuda")]
    found = (x for x in of_pip + others if os.access(x / "bin" / "nvcc", os.X_OK))
    home = Path(given) if given else next(found, others[-1])
    # The names that linkers look for, which pip's packages lack.
    for link, target in [("lib64", "lib"), ("lib/libcudart.so", f"libcudart.so.{major}")]:
        if home.resolve() in of_pip and not os.path.lexists(home / link):
            try:
                (home / link).symlink_to(target)
            except OSError as error:
                problem = f"linkers look for {home / link}, which cannot be made: {error.strerror}"
                raise Finding(problem, f"as its owner: ln -s {target} '{home / link}'") from None
    return home


def fitting_nvcc(cuda: str) -> Path:
    """Return the nvcc to compile with, if it fits PyTorch's CUDA."""
    home = toolkit(cuda)
    path = home / "bin" / "nvcc"
{% if cmake and full %}
    # CMake's own variable has a path or a name, and perhaps options.
    if given := os.environ.get("CUDACXX", "").split():
        path = Path(shutil.which(given[0]) or given[0])
{% endif %}
    if not path.exists():
        raise Finding(f"there is no nvcc for PyTorch's CUDA {cuda}: no {path}", *ways_to_nvcc(cuda))
{% if not cmake %}
    # A script on PATH that calls nvcc is in no toolkit, and PyTorch needs one. Conda has targets/.
    if not [x for y in ("", "targets/*/") for x in home.glob(f"{y}include/cuda_runtime.h")]:
        problem = f"{path} is not in a CUDA toolkit: there is no {home}/include/cuda_runtime.h"
        raise Finding(problem, "export CUDA_HOME=FOLDER_OF_THE_TOOLKIT", *ways_to_nvcc(cuda))
{% endif %}
{% if full %}
    _, text = ran(str(path), "--version")
{% else %}
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
{% endif %}
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release is None:
        raise Finding(f"{path} does not run{{ '{says(text)}' if full }}", f"{path} --version", *ways_to_nvcc(cuda))
    if release[2] != cuda.split(".")[0]:
        problem = f"PyTorch has CUDA {cuda}, but {path} is of CUDA {release[1]}"
        raise Finding(problem, *ways_to_nvcc(cuda))
    return path
{% if full %}


def nvcc() -> str | None:
    if asked_for("CPU_ONLY"):
        return "not needed: CPU_ONLY=1"
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        return None
    path = fitting_nvcc(cuda)
    return f"{''.join(re.findall('release .+', ran(str(path), '--version')[1]))}, {path}"


def library() -> str:
    from ._library import find_library, stale

    reason = stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    return str(find_library())
{% endif %}
