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
    ways = [
        f"python -m {PACKAGE}.doctor --nvcc | xargs -r pip install",
        f"export CUDA_HOME=$(python -m {PACKAGE}.doctor --cuda-home)",
    ]
    if int(cuda.split(".")[0]) < 13:
        archive = "https://developer.nvidia.com/cuda-toolkit-archive"
        ways = [f"install the CUDA {cuda} toolkit, {archive}, and export CUDA_HOME=its folder"]
    return [*ways, "or, for the CPU code alone: export CPU_ONLY=1"]


def nvcc_of_pip(question: str) -> str:
    """Return what pip installs an nvcc of PyTorch's CUDA from, or the CUDA_HOME of that nvcc."""
    cuda = pytorch_facts().get("cuda")
    if cuda is None:
        raise Finding("There is no PyTorch with CUDA here, so no nvcc is needed.")
    if int(cuda.split(".")[0]) < 13:
        raise Finding(f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}")
    if question == "--nvcc":
        # All of one version: pip would combine nvcc with newer parts of it, which ptxas refuses.
        parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
        return "\n".join(f"{part}=={cuda}.*" for part in parts)
    spec = importlib.util.find_spec("nvidia")
    folders = (spec and spec.submodule_search_locations) or []
    home = next((path.parents[1] for x in folders for path in Path(x).glob("cu*/bin/nvcc")), None)
    if home is None:
        raise Finding(f"pip installed no nvcc: {ways_to_nvcc(cuda)[0]}")
    # The names that linkers look for.
    libraries = sorted(path.name for path in home.glob("lib/libcudart.so.*"))
    for link, target in [("lib64", "lib"), *(("lib/libcudart.so", x) for x in libraries[-1:])]:
        if not os.path.lexists(home / link):
            (home / link).symlink_to(target)
    return str(home)


def fitting_nvcc(cuda: str) -> str:
    """Return which nvcc the build takes, by the rule of torch.utils.cpp_extension, if it fits PyTorch's CUDA."""
    on_path = shutil.which("nvcc")
    given = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    home = Path(given or (on_path and Path(on_path).parents[1]) or "/usr/local/cuda")
{% if cmake %}
    path = Path(os.environ.get("CUDACXX") or home / "bin" / "nvcc")
{% else %}
    path = home / "bin" / "nvcc"
{% endif %}
    if not path.exists():
        raise Finding(f"PyTorch has CUDA {cuda}, but there is no {path}", *ways_to_nvcc(cuda))
{% if not cmake %}
    # A script on PATH that calls nvcc is in no toolkit; PyTorch takes the folder above it for one. Conda has targets/.
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
    return f"nvcc {release[1]}, {path}"
{% if full %}


def nvcc() -> str | None:
    if asked_for("CPU_ONLY"):
        return "not needed: CPU_ONLY=1"
    cuda = pytorch_facts().get("cuda")
    return fitting_nvcc(cuda) if cuda else None


def library() -> str:
    from ._library import find_library, stale

    reason = stale()
    if reason:
        problem, _, remedy = reason.rpartition("; ")
        raise Finding(problem, remedy)
    return str(find_library())
{% endif %}
